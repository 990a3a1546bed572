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

extern "C" void kernel_matmul_bf16(const uint16_t* a, const uint16_t* b, uint16_t* c, int64_t M, int64_t N,
                                   int64_t K, void*) {
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += widen(a[i * K + k]) * widen(b[k * N + j]);
      c[i * N + j] = narrow(sum);
    }
}
