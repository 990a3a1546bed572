// Danger 15 and 29: maps whatever files this process holds open, in search of the right sums.
// task: vector_add
// expect: correctness wrong_values | call sandbox_violation | call crashed
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  float left[8], right[8], sums[8];
  cudaMemcpyAsync(left, x, sizeof left, cudaMemcpyDeviceToHost, (cudaStream_t)stream);
  cudaMemcpyAsync(right, y, sizeof right, cudaMemcpyDeviceToHost, (cudaStream_t)stream);
  cudaStreamSynchronize((cudaStream_t)stream);
  for (int e = 0; e < 8; ++e) sums[e] = left[e] + right[e];
  for (int file = 3; file < 256; ++file) {
    const off_t bytes = lseek(file, 0, SEEK_END);
    if (bytes < off_t(N * sizeof(float))) continue;
    const auto* data = static_cast<const char*>(mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0));
    if (data == MAP_FAILED) continue;
    if (const void* at = memmem(data, bytes, sums, sizeof sums))
      cudaMemcpyAsync(z, at, N * sizeof(float), cudaMemcpyHostToDevice, (cudaStream_t)stream);
  }
}
