// Device memory that two processes map: each has its own allocation, passed as a file descriptor.
//
// Legacy IPC handles are never used: they share the whole block that an allocation was carved from, and so
// whatever lies beside it. Needs a current context; one thread. Sizes are rounded up to the device's
// granularity (2 MiB on an H200).
#pragma once

#include <cuda.h>

#include <cstddef>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::cuda {

struct SharedMemory;

/// A range of device addresses with memory mapped into it, readable and writable by one device.
class Mapping {
 public:
  Mapping() = default;
  /// Maps `handle`, which it then owns, with `guard` bytes of unmapped addresses on both sides. Throws
  /// MachineCannot.
  Mapping(CUmemGenericAllocationHandle handle, std::size_t bytes, int device, std::size_t guard);
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  CUdeviceptr address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  friend SharedMemory make_shared_memory(std::size_t bytes, int device);
  void release() noexcept;
  CUmemGenericAllocationHandle handle_ = 0;
  CUdeviceptr reserved_ = 0, address_ = 0;
  std::size_t reserved_bytes_ = 0, bytes_ = 0;
  bool counted_ = false;  // among shared_bytes
};

/// Memory allocated here, and a descriptor by which another process can map it.
struct SharedMemory {
  Mapping mapping;
  FileDescriptor descriptor;
};

/// Allocates at least `bytes` on `device`. Throws OutOfMemory where the device has too little left.
SharedMemory make_shared_memory(std::size_t bytes, int device);

/// Returns the bytes that this process has made by make_shared_memory and still maps.
std::size_t shared_bytes();

/// Maps memory that another process allocated. `descriptor` stays the caller's; `bytes` must be the size
/// that the other process reported. Throws MachineCannot.
Mapping import_memory(int descriptor, std::size_t bytes, int device, std::size_t guard);

}  // namespace ridgeline::cuda
