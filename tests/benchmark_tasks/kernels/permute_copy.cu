#include <cstdint>

namespace {

constexpr int tile = 32, lines = 8;

// The transpose of a matrix of `rows` by `columns`, through tiles in shared memory so that both sides are
// coalesced.
__global__ void transpose(const float* x, float* y, int64_t rows, int64_t columns) {
  __shared__ float held[tile][tile + 1];
  const int64_t across = (columns + tile - 1) / tile;
  const int64_t row = int64_t(blockIdx.x) / across * tile, column = int64_t(blockIdx.x) % across * tile;
  const int lane = threadIdx.x % tile;
  for (int line = threadIdx.x / tile; line < tile; line += lines)
    if (row + line < rows && column + lane < columns)
      held[line][lane] = x[(row + line) * columns + column + lane];
  __syncthreads();
  for (int line = threadIdx.x / tile; line < tile; line += lines)
    if (column + line < columns && row + lane < rows)
      y[(column + line) * rows + row + lane] = held[lane][line];
}

}  // namespace

extern "C" void kernel_permute_copy(const float* x, float* y, int64_t A, int64_t B, int64_t C, void* stream) {
  const int64_t tiles = ((A * B + tile - 1) / tile) * ((C + tile - 1) / tile);
  if (tiles < 1) return;
  transpose<<<tiles, tile * lines, 0, (cudaStream_t)stream>>>(x, y, A * B, C);
}
