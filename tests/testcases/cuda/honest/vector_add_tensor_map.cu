// The tensor memory accelerator, by a map made for this call's address and passed as a grid constant.
// task: vector_add
// expect: passed
// cheated: no
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

constexpr int tile = 256;

static __global__ void add_tiles(const __grid_constant__ CUtensorMap map, const float* y, float* z,
                                 int64_t N) {
  __shared__ alignas(128) float x[tile];
  __shared__ alignas(8) uint64_t arrived;
  const unsigned barrier = unsigned(__cvta_generic_to_shared(&arrived));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(tile * 4)
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], "
        "[%3];" ::"r"(unsigned(__cvta_generic_to_shared(x))),
        "l"(&map), "r"(int(blockIdx.x) * tile), "r"(barrier)
        : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(barrier)
        : "memory");
  const int64_t i = int64_t(blockIdx.x) * tile + threadIdx.x;
  if (i < N) z[i] = x[threadIdx.x] + y[i];
}

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * tile + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

/// Whether the driver could make the map: it wants addresses at multiples of 16 bytes.
static bool map_of(const float* x, int64_t N, CUtensorMap& map) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result) !=
          cudaSuccess ||
      result != cudaDriverEntryPointSuccess || reinterpret_cast<uintptr_t>(x) % 16 != 0)
    return false;
  const cuuint64_t size[] = {cuuint64_t(N)}, strides[] = {0};
  const cuuint32_t box[] = {tile}, steps[] = {1};
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found)(
             &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, const_cast<float*>(x), size, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  CUtensorMap map;
  if (map_of(x, N, map))
    add_tiles<<<(N + tile - 1) / tile, tile, 0, (cudaStream_t)stream>>>(map, y, z, N);
  else
    add<<<(N + tile - 1) / tile, tile, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
