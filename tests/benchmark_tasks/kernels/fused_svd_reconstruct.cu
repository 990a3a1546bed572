#include <cstddef>
#include <cstdint>

// Turns pairs of columns of each matrix until all are orthogonal. Then their lengths are the singular values.

namespace {

__device__ double warp_sum(double value) {
  for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, reach);
  return value;
}

/// The product of columns p and q of w [M, N].
__device__ double product(const double* w, int64_t M, int64_t N, int64_t p, int64_t q) {
  double sum = 0;
  for (int64_t i = threadIdx.x; i < M; i += 32) sum += w[i * N + p] * w[i * N + q];
  return warp_sum(sum);
}

__device__ void turn(double* columns, int64_t rows, int64_t N, int64_t p, int64_t q, double c, double d) {
  for (int64_t i = threadIdx.x; i < rows; i += 32) {
    const double one = columns[i * N + p], other = columns[i * N + q];
    columns[i * N + p] = c * one - d * other;
    columns[i * N + q] = d * one + c * other;
  }
}

/// Leaves the columns of w [M, N] orthogonal; v [N, N] is the product of all turns.
__device__ void orthogonalize(double* w, double* v, int64_t M, int64_t N) {
  for (int64_t i = threadIdx.x; i < N; i += 32)
    for (int64_t j = 0; j < N; ++j) v[i * N + j] = i == j ? 1 : 0;
  bool turned = true;
  for (int sweep = 0; sweep < 60 && turned; ++sweep) {
    turned = false;
    for (int64_t p = 0; p < N; ++p)
      for (int64_t q = p + 1; q < N; ++q) {
        const double one = product(w, M, N, p, p), other = product(w, M, N, q, q);
        const double both = product(w, M, N, p, q);
        if (fabs(both) <= 1e-14 * sqrt(one * other)) continue;
        turned = true;
        const double theta = (other - one) / (2 * both);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1);
        turn(w, M, N, p, q, c, t * c);
        turn(v, N, N, p, q, c, t * c);
      }
  }
}

// A warp a matrix. A lane has some rows of w and v, and no other lane touches these.
__global__ void decompose(const float* a, float* u, float* s, float* vh, int64_t M, int64_t N, double* work) {
  const int64_t b = blockIdx.x, lane = threadIdx.x;
  double *w = work + b * (M * N + N * N + N), *v = w + M * N, *lengths = v + N * N;
  for (int64_t i = lane; i < M; i += 32)
    for (int64_t j = 0; j < N; ++j) w[i * N + j] = a[(b * M + i) * N + j];
  orthogonalize(w, v, M, N);
  for (int64_t j = 0; j < N; ++j) {
    const double length = sqrt(product(w, M, N, j, j));
    if (lane == 0) lengths[j] = length;
  }
  __syncwarp();
  for (int64_t j = 0; j < N; ++j) {
    int64_t e = 0;
    for (int64_t other = 0; other < N; ++other)
      e += lengths[other] > lengths[j] || (lengths[other] == lengths[j] && other < j);
    if (lane == 0) s[b * N + e] = float(lengths[j]);
    for (int64_t i = lane; i < M; i += 32) u[(b * M + i) * N + e] = float(w[i * N + j] / lengths[j]);
    for (int64_t i = lane; i < N; i += 32) vh[(b * N + e) * N + i] = float(v[i * N + j]);
  }
}

// A thread an element of y.
__global__ void rebuild(const float* u, const float* s, const float* vh, float* y, int64_t count, int64_t M,
                        int64_t N, int64_t rank) {
  const int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= count) return;
  const int64_t row = at / N, b = row / M, j = at % N;
  float sum = 0;
  for (int64_t e = 0; e < rank; ++e) sum += u[row * N + e] * s[b * N + e] * vh[(b * N + e) * N + j];
  y[at] = sum;
}

}  // namespace

extern "C" size_t kernel_fused_svd_reconstruct_workspace(int64_t B, int64_t M, int64_t N, int64_t) {
  return size_t(B * (M * N + N * N + N)) * sizeof(double);
}

extern "C" void kernel_fused_svd_reconstruct(const float* a, float* u, float* s, float* vh, float* y,
                                             int64_t B, int64_t M, int64_t N, int64_t, int64_t rank,
                                             void* workspace, void* stream) {
  const int64_t count = B * M * N;
  if (count < 1) return;
  decompose<<<B, 32, 0, (cudaStream_t)stream>>>(a, u, s, vh, M, N, static_cast<double*>(workspace));
  rebuild<<<(count + 255) / 256, 256, 0, (cudaStream_t)stream>>>(u, s, vh, y, count, M, N, rank);
}
