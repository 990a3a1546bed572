// Danger 22: all of the work when the process ends.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>
#include <vector>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

namespace {
struct Owed {
  struct Call {
    const float *x, *y;
    float* z;
    int64_t N;
  };
  std::vector<Call> calls;
  ~Owed() {
    for (const Call& call : calls) add<<<(call.N + 255) / 256, 256>>>(call.x, call.y, call.z, call.N);
    cudaDeviceSynchronize();
  }
} owed;
}  // namespace

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  owed.calls.push_back({x, y, z, N});
}
