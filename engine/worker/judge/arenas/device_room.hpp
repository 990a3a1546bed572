// Memory of the device that LibTorch keeps for later, and when it is given back.
//
// Taking memory anew costs milliseconds, which is what a small kernel's whole comparison takes: so it is
// given back only where others might be short of it.
#pragma once

#include <cstddef>

namespace ridgeline::judge {

/// What LibTorch keeps goes back to the device at once. Waits until the device is done.
void give_back_cached_memory();
/// The same, if the device would have less than a quarter left beside `bytes` that somebody is about to take.
void leave_room(std::size_t bytes);

}  // namespace ridgeline::judge
