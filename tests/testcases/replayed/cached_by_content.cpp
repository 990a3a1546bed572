// Danger 2: a fingerprint of the contents. Inputs are never the same twice when timed, so it gains nothing.
// task: vector_add
// expect: passed
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  static std::map<uint64_t, std::vector<float>> known;
  uint64_t fingerprint = 1469598103934665603u ^ N;
  for (int64_t i = 0; i < N; i += N / 16) {
    uint32_t bits[2];
    std::memcpy(&bits[0], x + i, 4);
    std::memcpy(&bits[1], y + i, 4);
    fingerprint = (fingerprint ^ bits[0]) * 1099511628211u;
    fingerprint = (fingerprint ^ bits[1]) * 1099511628211u;
  }
  if (known.size() > 64) known.clear();
  auto& kept = known[fingerprint];
  if (kept.empty()) {
    kept.resize(N);
    for (int64_t i = 0; i < N; ++i) kept[i] = x[i] + y[i];
  }
  std::memcpy(z, kept.data(), N * sizeof(float));
}
