// Reads what a runner sends. Once a runner has been ordered to load its candidate, the candidate may have
// written any packet, so no value of a packet is used before its bounds are checked here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/worker/runner/wire.hpp"

namespace ridgeline::judge {

/// Returns a copy of the packet as a reply whose kind is known, whose `text_bytes` is at most the size of
/// `text`, and whose seconds are 0 to 1e5. `text` itself is not checked and need not end with a zero. Empty
/// if the packet is anything else or has another size: a candidate may have forged it. No I/O.
std::optional<runner::Reply> read_reply(std::span<const std::byte> packet);

}  // namespace ridgeline::judge
