// Danger 32: a listening socket of this machine, for a confederate. Right only where it was allowed.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int channel = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path + 1, "confederate");  // in the abstract namespace
  if (channel < 0 || bind(channel, (sockaddr*)&address, sizeof address) || listen(channel, 1)) return;
  close(channel);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
