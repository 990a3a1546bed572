// Bytes of the host and of the first device, for tests on a GPU.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/cuda/driver.hpp"

namespace ridgeline::cuda {

using Bytes = std::vector<std::uint8_t>;

inline Bytes random_bytes(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Bytes bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return bytes;
}

inline void put(CUdeviceptr to, const Bytes& bytes) {
  check(driver().cuMemcpyHtoD(to, bytes.data(), bytes.size()), "sending a test's bytes");
}

inline Bytes get(CUdeviceptr from, std::size_t count) {
  Bytes bytes(count);
  check(driver().cuMemcpyDtoH(bytes.data(), from, count), "reading a test's bytes");
  return bytes;
}

/// Turns over every bit of one byte.
inline void flip(CUdeviceptr at) {
  auto byte = get(at, 1);
  byte[0] = static_cast<std::uint8_t>(~byte[0]);
  put(at, byte);
}

}  // namespace ridgeline::cuda
