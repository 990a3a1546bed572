#include "engine/worker/judge/arenas/cached_device_memory.hpp"

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>
#include <cstdint>

#include "engine/cuda/driver.hpp"

namespace ridgeline::judge {

namespace {
constexpr std::size_t kSmall = std::size_t{1}
                               << 28;   // bytes; smaller amounts are not worth asking the driver
constexpr std::size_t kShareLeft = 4;   // one part in four of the device must stay free
constexpr std::size_t kShareKept = 16;  // and at most one in sixteen may stay cached

std::size_t cached_bytes(int device) {
  const auto stats = at::getDeviceAllocator(at::kCUDA)->getDeviceStats(static_cast<c10::DeviceIndex>(device));
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  // Split blocks that are partly in use are never returned, so they do not count as cached.
  const auto kept = stats.reserved_bytes[all].current - stats.allocated_bytes[all].current -
                    stats.inactive_split_bytes[all].current;
  return static_cast<std::size_t>(std::max<std::int64_t>(0, kept));
}

}  // namespace

std::size_t torch_bytes(int device) {
  const auto stats = at::getDeviceAllocator(at::kCUDA)->getDeviceStats(static_cast<c10::DeviceIndex>(device));
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return static_cast<std::size_t>(std::max<std::int64_t>(0, stats.reserved_bytes[all].current));
}

void return_cached_memory() {
  cuda::check(cuda::driver().cuCtxSynchronize(), "waiting before memory is given back");
  at::getDeviceAllocator(at::kCUDA)->emptyCache();
}

void ensure_device_memory(int device, std::size_t bytes) {
  const auto kept = cached_bytes(device);
  if (kept < kSmall && bytes < kSmall) return;
  std::size_t left = 0, all = 0;
  cuda::check(cuda::driver().cuMemGetInfo(&left, &all), "asking for the device's free memory");
  if (left < bytes + all / kShareLeft || kept > all / kShareKept) return_cached_memory();
}

}  // namespace ridgeline::judge
