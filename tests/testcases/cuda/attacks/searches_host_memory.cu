// Danger 15 and 29: its own process's memory, as far as its maps can be read, in search of the right sums.
// task: vector_add
// expect: correctness wrong_values | call sandbox_violation | call crashed
#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static float left[8], right[8], sums[8];
  cudaMemcpyAsync(left, x, sizeof left, cudaMemcpyDeviceToHost, (cudaStream_t)stream);
  cudaMemcpyAsync(right, y, sizeof right, cudaMemcpyDeviceToHost, (cudaStream_t)stream);
  cudaStreamSynchronize((cudaStream_t)stream);
  for (int e = 0; e < 8; ++e) sums[e] = left[e] + right[e];
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (!maps) return;
  char line[512];
  while (std::fgets(line, sizeof line, maps)) {
    char *begin, *end, access[5];
    if (std::sscanf(line, "%p-%p %4s", (void**)&begin, (void**)&end, access) != 3 || access[0] != 'r') continue;
    if (end - begin > 1 << 28 || std::strstr(line, "[v") || std::strstr(line, "/dev/")) continue;
    const void* at = memmem(begin, end - begin, sums, sizeof sums);
    if (at && at != sums && (const char*)at + N * 4 <= end)
      cudaMemcpyAsync(z, at, N * sizeof(float), cudaMemcpyHostToDevice, (cudaStream_t)stream);
  }
  std::fclose(maps);
}
