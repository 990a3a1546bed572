#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_gelu_std(const float* x, float* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    // Twice over the row: the elements are cheap to compute again, and need no room.
    const auto gelu = [&](int64_t j) { return 0.5f * x[i * N + j] * std::erfc(-0.70710678f * x[i * N + j]); };
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < N; ++j) sum += gelu(j);
    const double mean = sum / static_cast<double>(N);
    for (int64_t j = 0; j < N; ++j) squares += (gelu(j) - mean) * (gelu(j) - mean);
    y[i] = static_cast<float>(std::sqrt(squares / static_cast<double>(N - 1)));
  }
}
