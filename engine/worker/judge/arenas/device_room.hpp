// Memory of the device that LibTorch keeps for later, and when it is given back.
//
// Taking memory anew costs milliseconds, which is what a small kernel's whole comparison takes: so it is
// given back only where others might be short of it.
#pragma once

#include <cstddef>

namespace ridgeline::judge {

/// What LibTorch keeps goes back to the device at once. Waits until the device is done.
void give_back_cached_memory();
/// The same, if LibTorch keeps much of the device of that number for later, or less than a quarter would be
/// left beside `bytes` that somebody is about to take there.
void leave_device_room(int device, std::size_t bytes);

}  // namespace ridgeline::judge
