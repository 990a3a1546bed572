#include "engine/worker/judge/arenas/device_room.hpp"

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>
#include <cstdint>

#include "engine/cuda/driver.hpp"

namespace ridgeline::judge {

namespace {
constexpr std::size_t kSmall = std::size_t{1} << 28;  // bytes that are not worth a question
constexpr std::size_t kShareLeft = 4;                 // of the device: one in so many
constexpr std::size_t kShareKept = 16;                // the same: what is kept must fail nobody

std::size_t kept_for_later(int device) {
  const auto stats = at::getDeviceAllocator(at::kCUDA)->getDeviceStats(static_cast<c10::DeviceIndex>(device));
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  const auto kept =
      stats.reserved_bytes[all].current - stats.allocated_bytes[all].current -
      stats.inactive_split_bytes[all].current;  // of blocks that are in use: nothing gives them back
  return static_cast<std::size_t>(std::max<std::int64_t>(0, kept));
}

}  // namespace

void give_back_cached_memory() {
  cuda::check(cuda::driver().cuCtxSynchronize(), "waiting before memory is given back");
  at::getDeviceAllocator(at::kCUDA)->emptyCache();
}

void leave_device_room(int device, std::size_t bytes) {
  const auto kept = kept_for_later(device);
  if (kept < kSmall && bytes < kSmall) return;
  std::size_t left = 0, all = 0;
  cuda::check(cuda::driver().cuMemGetInfo(&left, &all), "asking for the device's free memory");
  if (left < bytes + all / kShareLeft || kept > all / kShareKept) give_back_cached_memory();
}

}  // namespace ridgeline::judge
