#include <bit>
#include <cmath>
#include <cstdint>

namespace {

float widen(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t narrow(float value) {  // to nearest, ties to even
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return 0x7FC0;
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

}  // namespace

extern "C" void kernel_gelu_bf16(const uint16_t* x, uint16_t* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M * N; ++i) {
    const float t = widen(x[i]);
    y[i] = narrow(0.5f * t * std::erfc(-0.70710678f * t));
  }
}
