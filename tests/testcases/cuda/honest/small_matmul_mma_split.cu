// Tensor cores by inline PTX: every float is a sum of two in TF32, and three products make one.
// task: small_matmul
// expect: passed
// cheated: no
#include <cstdint>

static __device__ unsigned rounded(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return bits;
}

static __device__ void multiply_add(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// A warp for each tile of 16 by 8.
static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t m = blockIdx.y * 16, n = blockIdx.x * 8;
  const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
  float d[4] = {};
  for (int64_t k = 0; k < K; k += 8) {
    unsigned high_a[4], low_a[4], high_b[2], low_b[2];
    for (int part = 0; part < 4; ++part) {
      const int64_t row = m + group + part % 2 * 8, at = k + in_group + part / 2 * 4;
      const float value = row < M && at < K ? a[row * K + at] : 0.0f;
      high_a[part] = rounded(value);
      low_a[part] = rounded(value - __uint_as_float(high_a[part]));
    }
    for (int part = 0; part < 2; ++part) {
      const int64_t at = k + in_group + part * 4, column = n + group;
      const float value = column < N && at < K ? b[at * N + column] : 0.0f;
      high_b[part] = rounded(value);
      low_b[part] = rounded(value - __uint_as_float(high_b[part]));
    }
    multiply_add(d, low_a, high_b);
    multiply_add(d, high_a, low_b);
    multiply_add(d, high_a, high_b);
  }
  for (int part = 0; part < 4; ++part) {
    const int64_t row = m + group + part / 2 * 8, column = n + in_group * 2 + part % 2;
    if (row < M && column < N) c[row * N + column] = d[part];
  }
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  multiply<<<dim3((N + 7) / 8, (M + 15) / 16), 32, 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
