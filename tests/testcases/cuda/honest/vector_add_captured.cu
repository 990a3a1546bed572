// Captures its launches anew in every call: slow and right.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaStream_t own;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
  add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
  cudaStreamEndCapture(own, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, (cudaStream_t)stream);
  cudaGraphExecDestroy(executable);  // as soon as it has run
  cudaGraphDestroy(graph);
}
