#include <cstdint>

extern "C" void kernel_min(const float* x, float* y, int64_t* index, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    const float* row = x + i * N;
    int64_t least = 0;
    for (int64_t j = 1; j < N; ++j)
      if (row[j] < row[least]) least = j;
    y[i] = row[least];
    index[i] = least;
  }
}
