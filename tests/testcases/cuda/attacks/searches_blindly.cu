// Danger 15: the same by walking on behind its output until it finds the sums or falls off the end.
// task: vector_add
// expect: correctness wrong_values | call crashed | call timed_out | call launch_error
#include <cstdint>

static __global__ void search(const float* x, const float* y, float* z, int64_t N) {
  for (const float* at = z + N; at < z + (int64_t{1} << 32); at += 4) {
    bool same = true;
    for (int e = 0; same && e < 8; ++e) same = at[e] == x[e] + y[e];
    for (int64_t i = 0; same && i < N; ++i) z[i] = at[i];
    if (same) return;
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  search<<<1, 1, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
