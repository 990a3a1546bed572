#include <cmath>
#include <cstdint>

extern "C" void kernel_argmax(const float* x, int64_t* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    const float* row = x + i * N;
    int64_t best = 0;
    for (int64_t j = 1; j < N; ++j)
      if (row[j] > row[best] || (std::isnan(row[j]) && !std::isnan(row[best]))) best = j;
    y[i] = best;
  }
}
