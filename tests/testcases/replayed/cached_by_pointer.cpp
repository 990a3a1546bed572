// Danger 1: the result of an earlier call with the same addresses is given again.
// task: vector_add
// expect: correctness wrong_values | timing wrong_when_timed
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  static std::map<const float*, std::vector<float>> known;
  auto& kept = known[x];
  if (kept.size() != static_cast<size_t>(N)) {
    kept.resize(N);
    for (int64_t i = 0; i < N; ++i) kept[i] = x[i] + y[i];
  }
  std::memcpy(z, kept.data(), N * sizeof(float));
}
