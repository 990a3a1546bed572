// Danger 1: a graph captured at the first call of a size and launched again with the addresses of then.
// task: vector_add
// expect: correctness wrong_values | timing wrong_when_timed | call crashed
#include <cstdint>
#include <map>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static std::map<int64_t, cudaGraphExec_t> captured;
  cudaGraphExec_t& executable = captured[N];
  if (!executable) {
    cudaStream_t own;
    cudaGraph_t graph;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
    add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
    cudaStreamEndCapture(own, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
  }
  cudaGraphLaunch(executable, (cudaStream_t)stream);
}
