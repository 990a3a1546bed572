// A host side with vectors, string streams and an exception that it catches itself.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <vector>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::ostringstream text;
  text << "launch: " << cudaGetErrorString(error);
  throw std::runtime_error(text.str());
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  std::vector<int64_t> begins;
  for (int64_t at = 0; at < N; at += (N + 3) / 4) begins.push_back(at);
  begins.push_back(N);
  try {
    for (size_t part = 0; part + 1 < begins.size(); ++part) {
      const int64_t at = begins[part], length = begins.at(part + 1) - at;
      add<<<(length + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x + at, y + at, z + at, length);
      check(cudaGetLastError());
    }
    (void)begins.at(begins.size());
  } catch (const std::out_of_range&) {
  } catch (const std::runtime_error& error) {
    std::cerr << error.what() << std::endl;
  }
}
