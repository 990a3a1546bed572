// Danger 21: a thread that launches long after its call has returned.
// task: vector_add
// expect: correctness wrong_values | call sandbox_violation | call crashed
#include <chrono>
#include <cstdint>
#include <thread>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  }).detach();
}
