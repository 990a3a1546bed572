#include <cstddef>
#include <cstdint>

namespace {

// A thread a row: of x1 first, then of x2.
__global__ void take_norms(const float* x1, const float* x2, double* norms, int64_t M1, int64_t M2,
                           int64_t N) {
  const int64_t r = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r >= M1 + M2) return;
  const float* row = r < M1 ? x1 + r * N : x2 + (r - M1) * N;
  double squares = 0;
  for (int64_t j = 0; j < N; ++j) squares += double(row[j]) * row[j];
  norms[r] = fmax(sqrt(squares), 1e-12);
}

// A thread a pair of rows.
__global__ void take_distances(const float* x1, const float* x2, const double* norms, float* y, int64_t M1,
                               int64_t M2, int64_t N, double eps) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= M1 * M2) return;
  const int64_t i = e / M2, k = e % M2;
  double squares = 0;
  for (int64_t j = 0; j < N; ++j) {
    const double difference = x1[i * N + j] / norms[i] - x2[k * N + j] / norms[M1 + k];
    squares += difference * difference;
  }
  y[e] = float(fmax(sqrt(squares), eps));
}

}  // namespace

extern "C" size_t kernel_fused_pairwise_distance_normalize_workspace(int64_t M1, int64_t M2, int64_t N) {
  return size_t(M1 + M2) * sizeof(double);
}

extern "C" void kernel_fused_pairwise_distance_normalize(const float* x1, const float* x2, float* y,
                                                         int64_t M1, int64_t M2, int64_t N, double eps,
                                                         void* workspace, void* stream) {
  if (M1 * M2 < 1) return;
  auto* norms = static_cast<double*>(workspace);
  take_norms<<<(M1 + M2 + 127) / 128, 128, 0, (cudaStream_t)stream>>>(x1, x2, norms, M1, M2, N);
  take_distances<<<(M1 * M2 + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x1, x2, norms, y, M1, M2, N, eps);
}
