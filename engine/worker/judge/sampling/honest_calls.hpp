// Compares what calls take by themselves with what honest calls of the same task do, on the same host.
//
// A module waits for the host in its launches. By itself its first calls meet cold caches of the host, and a
// busy host is slower still. Its reference meets the same, and cannot have worked ahead. Plain numbers.
#pragma once

namespace ridgeline::judge {

/// What honest calls take, seconds.
struct HonestCalls {
  double in_batch = 0;
  double apart = 0;  ///< by themselves, the least
};

/// Whether calls of `in_batch` seconds were helped by others, if they take `apart` by themselves, what may be
/// too long of it left out: more than a tenth above what the honest ones' share, and the seconds that these
/// take longer, would make of them.
bool helped_more_than(const HonestCalls& honest, double in_batch, double apart);

}  // namespace ridgeline::judge
