// A graph made once, with this call's arguments put into it before each launch.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaGraphNode_t node;
  static cudaGraphExec_t executable;
  void* arguments[] = {&x, &y, &z, &N};
  cudaKernelNodeParams launch{};
  launch.func = (void*)add;
  launch.gridDim = dim3((N + 255) / 256);
  launch.blockDim = dim3(256);
  launch.kernelParams = arguments;
  if (!executable) {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch);
    cudaGraphInstantiate(&executable, graph, 0);
  }
  cudaGraphExecKernelNodeSetParams(executable, node, &launch);
  cudaGraphLaunch(executable, (cudaStream_t)stream);
}
