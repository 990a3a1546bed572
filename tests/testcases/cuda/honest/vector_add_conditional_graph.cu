// A graph with a conditional node, whose body is the kernel.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams condition = {};
  condition.type = cudaGraphNodeTypeConditional;
  condition.conditional.handle = handle;
  condition.conditional.type = cudaGraphCondTypeIf;
  condition.conditional.size = 1;
  cudaGraphNode_t node = nullptr, inner = nullptr;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &condition);
  void* arguments[] = {&x, &y, &z, &N};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3((N + 255) / 256);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&inner, condition.conditional.phGraph_out[0], nullptr, 0, &kernel);
  cudaGraphExec_t made = nullptr;
  cudaGraphInstantiate(&made, graph, 0);
  cudaGraphLaunch(made, (cudaStream_t)stream);
  cudaStreamSynchronize((cudaStream_t)stream);
  cudaGraphExecDestroy(made);
  cudaGraphDestroy(graph);
}
