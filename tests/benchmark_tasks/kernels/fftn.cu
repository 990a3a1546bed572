#include <cstddef>
#include <cstdint>

// The transform by its definition, of rows and then of columns.

namespace {

__global__ void roots_of_unity(float2* roots, int64_t n) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < n; k += step) {
    double sine, cosine;
    sincospi(-2.0 * double(k) / double(n), &sine, &cosine);
    roots[k] = make_float2(float(cosine), float(sine));
  }
}

/// Element u of the transform of the n numbers at `in`, which lie `stride` apart.
__device__ float2 transform(const float2* in, const float2* roots, int64_t n, int64_t stride, int64_t u) {
  float real = 0, imaginary = 0;
  int64_t turn = 0;
  for (int64_t m = 0; m < n; ++m) {
    const float2 root = roots[turn], value = in[m * stride];
    real += value.x * root.x - value.y * root.y;
    imaginary += value.x * root.y + value.y * root.x;
    turn = turn + u < n ? turn + u : turn + u - n;
  }
  return make_float2(real, imaginary);
}

__global__ void transform_rows(const float2* x, const float2* roots, float2* y, int64_t elements, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < elements; at += step)
    y[at] = transform(x + at / N * N, roots, N, 1, at % N);
}

__global__ void transform_columns(const float2* x, const float2* roots, float2* y, int64_t elements,
                                  int64_t M, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < elements; at += step)
    y[at] = transform(x + at / (M * N) * M * N + at % N, roots, M, N, at / N % M);
}

int64_t blocks_for(int64_t threads) {
  const int64_t blocks = (threads + 255) / 256;
  return min(blocks, int64_t{65536});
}

}  // namespace

extern "C" size_t kernel_fftn_workspace(int64_t B, int64_t M, int64_t N) {
  return size_t(M + N + B * M * N) * sizeof(float2);
}

extern "C" void kernel_fftn(const float* x, float* y, int64_t B, int64_t M, int64_t N, void* workspace,
                            void* stream) {
  const auto queue = (cudaStream_t)stream;
  const int64_t elements = B * M * N;
  if (elements < 1) return;
  auto* of_columns = static_cast<float2*>(workspace);
  auto* of_rows = of_columns + M;
  auto* rows = of_rows + N;
  roots_of_unity<<<blocks_for(M), 256, 0, queue>>>(of_columns, M);
  roots_of_unity<<<blocks_for(N), 256, 0, queue>>>(of_rows, N);
  transform_rows<<<blocks_for(elements), 256, 0, queue>>>(reinterpret_cast<const float2*>(x), of_rows, rows,
                                                          elements, N);
  transform_columns<<<blocks_for(elements), 256, 0, queue>>>(rows, of_columns, reinterpret_cast<float2*>(y),
                                                             elements, M, N);
}
