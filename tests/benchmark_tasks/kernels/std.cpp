#include <cmath>
#include <cstdint>

extern "C" void kernel_std(const float* x, float* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    float sum = 0, squares = 0;
    for (int64_t j = 0; j < N; ++j) sum += x[i * N + j];
    const float mean = sum / static_cast<float>(N);
    for (int64_t j = 0; j < N; ++j) squares += (x[i * N + j] - mean) * (x[i * N + j] - mean);
    y[i] = std::sqrt(squares / static_cast<float>(N - 1));
  }
}
