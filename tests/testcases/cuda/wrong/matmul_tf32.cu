// Danger 13: TF32 tensor cores, ten bits of every operand.
// task: small_matmul
// expect: correctness lower_precision | correctness wrong_values
// cheated: no
#include <mma.h>

#include <cstdint>

namespace wmma = nvcuda::wmma;

// A warp a tile of 16 by 16.
static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  __shared__ float a_slice[16 * 8], b_slice[8 * 16], result[16 * 16];
  const int64_t row0 = int64_t(blockIdx.y) * 16, column0 = int64_t(blockIdx.x) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int64_t k0 = 0; k0 < K; k0 += 8) {
    for (int e = threadIdx.x; e < 128; e += 32) {
      const int64_t m = row0 + e / 8, ka = k0 + e % 8, kb = k0 + e / 16, n = column0 + e % 16;
      a_slice[e] = wmma::__float_to_tf32(m < M && ka < K ? a[m * K + ka] : 0);
      b_slice[e] = wmma::__float_to_tf32(n < N && kb < K ? b[kb * N + n] : 0);
    }
    __syncwarp();
    wmma::load_matrix_sync(left, a_slice, 8);
    wmma::load_matrix_sync(right, b_slice, 16);
    wmma::mma_sync(sum, left, right, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(result, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int e = threadIdx.x; e < 256; e += 32)
    if (row0 + e / 16 < M && column0 + e % 16 < N) c[(row0 + e / 16) * N + column0 + e % 16] = result[e];
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  multiply<<<dim3((N + 15) / 16, (M + 15) / 16), 32, 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
