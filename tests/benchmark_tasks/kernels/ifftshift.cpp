#include <algorithm>
#include <cstdint>

extern "C" void kernel_ifftshift(const float* x, float* y, int64_t M, int64_t N, void*) {
  const int64_t front = N - N / 2;  // of each row, the part that comes first afterwards
  for (int64_t i = 0; i < M; ++i) {
    const float* row = x + (i + M / 2) % M * N;
    std::copy(row + N / 2, row + N, y + i * N);
    std::copy(row, row + N / 2, y + i * N + front);
  }
}
