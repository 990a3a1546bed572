// Device memory that two processes map: an allocation of its own each, passed by descriptor.
//
// Never legacy IPC handles: those share the whole block that an allocation was carved from, and with it
// whatever lies beside. A current context is needed; one thread. Sizes are rounded up to the device's
// granularity (2 MiB on the H200).
#pragma once

#include <cuda.h>

#include <cstddef>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::cuda {

/// A range of addresses with memory mapped into it; for reading and writing by the current device.
class Mapping {
 public:
  Mapping() = default;
  /// Takes `handle` over. With `guard` bytes of unmapped addresses on both sides.
  Mapping(CUmemGenericAllocationHandle handle, std::size_t bytes, int device, std::size_t guard);
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  CUdeviceptr address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void release() noexcept;
  CUmemGenericAllocationHandle handle_ = 0;
  CUdeviceptr reserved_ = 0, address_ = 0;
  std::size_t reserved_bytes_ = 0, bytes_ = 0;
};

/// Memory made here, to be shared.
struct SharedMemory {
  Mapping mapping;
  FileDescriptor descriptor;
};

/// Throws OutOfMemory where the device has not that much left.
SharedMemory make_shared_memory(std::size_t bytes, int device);

/// Memory of another process. `descriptor` stays the caller's; `bytes` must be what its maker said.
Mapping import_memory(int descriptor, std::size_t bytes, int device, std::size_t guard);

}  // namespace ridgeline::cuda
