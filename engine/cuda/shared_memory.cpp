#include "engine/cuda/shared_memory.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/core/out_of_memory.hpp"
#include "engine/cuda/driver.hpp"

namespace ridgeline::cuda {
namespace {

std::atomic<std::size_t> mapped_bytes = 0;  // of those made here

CUmemAllocationProp properties_of(int device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return properties;
}

}  // namespace

// The guards are reserved and not mapped: an access beyond the buffer is a fault on an unmapped address.
Mapping::Mapping(CUmemGenericAllocationHandle handle, std::size_t bytes, int device, std::size_t guard)
    : handle_(handle), reserved_bytes_(bytes + 2 * guard), bytes_(bytes) {
  try {
    check(driver().cuMemAddressReserve(&reserved_, reserved_bytes_, 0, 0, 0), "reserving device addresses");
    check(driver().cuMemMap(reserved_ + guard, bytes, 0, handle, 0), "mapping device memory");
    address_ = reserved_ + guard;
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    check(driver().cuMemSetAccess(address_, bytes, &access, 1), "opening device memory");
  } catch (...) {
    release();
    throw;
  }
}

Mapping::Mapping(Mapping&& other) noexcept {
  *this = std::move(other);
}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(reserved_, other.reserved_);
  std::swap(address_, other.address_);
  std::swap(reserved_bytes_, other.reserved_bytes_);
  std::swap(bytes_, other.bytes_);
  std::swap(counted_, other.counted_);
  return *this;
}

Mapping::~Mapping() {
  release();
}

void Mapping::release() noexcept {
  if (address_ != 0) driver().cuMemUnmap(address_, bytes_);
  if (reserved_ != 0) driver().cuMemAddressFree(reserved_, reserved_bytes_);
  if (handle_ != 0) driver().cuMemRelease(handle_);
  if (std::exchange(counted_, false)) mapped_bytes -= bytes_;
  address_ = reserved_ = 0;
  handle_ = 0;
}

SharedMemory make_shared_memory(std::size_t bytes, int device) {
  const auto properties = properties_of(device);
  std::size_t unit = 0;
  check(driver().cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
        "asking for the granularity of device memory");
  const std::size_t rounded = (bytes + unit - 1) / unit * unit;
  CUmemGenericAllocationHandle handle = 0;
  if (const auto result = driver().cuMemCreate(&handle, rounded, &properties, 0); result != CUDA_SUCCESS)
    throw OutOfMemory("no " + std::to_string(rounded >> 20) + " MiB of device memory: " + error_text(result) +
                      "; fix: free the device, or take a smaller case");
  SharedMemory shared{Mapping(handle, rounded, device, 0), {}};
  shared.mapping.counted_ = true;
  mapped_bytes += rounded;
  int descriptor = -1;
  check(
      driver().cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
      "exporting device memory");
  shared.descriptor = FileDescriptor(descriptor);
  return shared;
}

std::size_t shared_bytes() {
  return mapped_bytes;
}

Mapping import_memory(int descriptor, std::size_t bytes, int device, std::size_t guard) {
  CUmemGenericAllocationHandle handle = 0;
  check(driver().cuMemImportFromShareableHandle(
            &handle, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)),
            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
        "importing device memory");
  return Mapping(handle, bytes, device, guard);
}

}  // namespace ridgeline::cuda
