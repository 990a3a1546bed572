#include "engine/worker/judge/arenas/device_room.hpp"

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "engine/cuda/driver.hpp"

namespace ridgeline::judge {

namespace {
constexpr std::size_t kSmall = std::size_t{1} << 28;  // bytes that are not worth a question
constexpr std::size_t kShareLeft = 4;                 // of the device: one in so many
}  // namespace

void give_back_cached_memory() {
  cuda::check(cuda::driver().cuCtxSynchronize(), "waiting before memory is given back");
  at::getDeviceAllocator(at::kCUDA)->emptyCache();
}

void leave_room(std::size_t bytes) {
  if (bytes < kSmall) return;
  std::size_t left = 0, all = 0;
  cuda::check(cuda::driver().cuMemGetInfo(&left, &all), "asking for the device's free memory");
  if (left < bytes + all / kShareLeft) give_back_cached_memory();
}

}  // namespace ridgeline::judge
