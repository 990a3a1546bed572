// Fragments of nvcuda::wmma in TF32, three products for one, so that nothing is lost.
// task: small_matmul
// expect: passed
// cheated: no
#include <mma.h>

#include <cstdint>

using namespace nvcuda::wmma;

/// A warp for each tile of 16 by 16.
static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  __shared__ alignas(32) float as[16 * 8], bs[8 * 16], cs[16 * 16];
  const int64_t m = blockIdx.y * 16, n = blockIdx.x * 16;
  fragment<accumulator, 16, 16, 8, float> sum;
  fill_fragment(sum, 0.0f);
  for (int64_t k = 0; k < K; k += 8) {
    for (int at = threadIdx.x; at < 128; at += 32) {
      const int64_t row = m + at / 8, in_row = k + at % 8, down = k + at / 16, column = n + at % 16;
      as[at] = row < M && in_row < K ? a[row * K + in_row] : 0.0f;
      bs[at] = down < K && column < N ? b[down * N + column] : 0.0f;
    }
    __syncwarp();
    fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> high_a, low_a;
    fragment<matrix_b, 16, 16, 8, precision::tf32, row_major> high_b, low_b;
    load_matrix_sync(high_a, as, 8);
    load_matrix_sync(high_b, bs, 16);
    for (int at = 0; at < high_a.num_elements; ++at) {
      const float whole = high_a.x[at];
      high_a.x[at] = __float_to_tf32(whole);
      low_a.x[at] = __float_to_tf32(whole - high_a.x[at]);
    }
    for (int at = 0; at < high_b.num_elements; ++at) {
      const float whole = high_b.x[at];
      high_b.x[at] = __float_to_tf32(whole);
      low_b.x[at] = __float_to_tf32(whole - high_b.x[at]);
    }
    mma_sync(sum, low_a, high_b, sum);
    mma_sync(sum, high_a, low_b, sum);
    mma_sync(sum, high_a, high_b, sum);
    __syncwarp();
  }
  store_matrix_sync(cs, sum, 16, mem_row_major);
  __syncwarp();
  for (int at = threadIdx.x; at < 256; at += 32)
    if (m + at / 16 < M && n + at % 16 < N) c[(m + at / 16) * N + n + at % 16] = cs[at];
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  multiply<<<dim3((N + 15) / 16, (M + 15) / 16), 32, 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
