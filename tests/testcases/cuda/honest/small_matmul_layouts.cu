// Shapes and strides as types, as CuTe has them, and tiles cut out of tensors by both.
// task: small_matmul
// expect: passed
// cheated: no
#include <cstdint>

template <int Rows, int Columns, int RowStride, int ColumnStride>
struct Layout {
  static constexpr int rows = Rows, columns = Columns, size = Rows * Columns;
  static constexpr __device__ int at(int row, int column) { return row * RowStride + column * ColumnStride; }
};
template <class Of>
struct Transposed;
template <int Rows, int Columns, int RowStride, int ColumnStride>
struct Transposed<Layout<Rows, Columns, RowStride, ColumnStride>> {
  using type = Layout<Columns, Rows, ColumnStride, RowStride>;
};

struct Matrix {
  const float* data;
  int64_t rows, columns;
  __device__ float at(int64_t row, int64_t column) const {
    return row < rows && column < columns ? data[row * columns + column] : 0.0f;
  }
};

template <class To>
static __device__ void load(float* tile, Matrix from, int64_t row, int64_t column) {
  for (int at = threadIdx.x; at < To::size; at += blockDim.x)
    tile[To::at(at / To::columns, at % To::columns)] =
        from.at(row + at / To::columns, column + at % To::columns);
}

using Padded = Layout<16, 16, 17, 1>;
using Turned = Transposed<Padded>::type;

static __global__ void multiply(Matrix a, Matrix b, float* c) {
  __shared__ float as[16 * 17], bs[16 * 17];
  const int row = threadIdx.x / 16, column = threadIdx.x % 16;
  const int64_t m = blockIdx.y * 16, n = blockIdx.x * 16;
  float sum = 0;
  for (int64_t k = 0; k < a.columns; k += 16) {
    load<Padded>(as, a, m, k);
    load<Turned>(bs, b, k, n);
    __syncthreads();
    for (int inner = 0; inner < 16; ++inner)
      sum += as[Padded::at(row, inner)] * bs[Turned::at(inner, column)];
    __syncthreads();
  }
  if (m + row < a.rows && n + column < b.columns) c[(m + row) * b.columns + n + column] = sum;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  multiply<<<dim3((N + 15) / 16, (M + 15) / 16), 256, 0, (cudaStream_t)stream>>>({a, M, K}, {b, K, N}, c);
}
