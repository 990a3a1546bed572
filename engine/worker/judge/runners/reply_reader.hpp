// Reads what a runner sends. Once a runner has been ordered to load its candidate, the candidate may have
// written any packet, so no value of a packet is used before its bounds are checked here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/worker/runner/wire.hpp"

namespace ridgeline::judge {

/// Returns a copy of the packet as a reply. Its size and its kind are known, its text ends within the
/// message, and its seconds are 0 to 1e5. Empty if the packet is anything else: a candidate may have forged
/// it. No I/O.
std::optional<runner::Reply> read_reply(std::span<const std::byte> packet);

}  // namespace ridgeline::judge
