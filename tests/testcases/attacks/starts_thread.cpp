// Danger 21: a background thread. On the CPU kernels run on one thread.
// task: vector_add
// expect: call sandbox_violation
// cheated: no
#include <thread>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  std::thread([] {}).join();
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
