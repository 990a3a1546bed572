// Reads what a runner sends. From the load on, every packet is written by a process that holds a candidate,
// so nothing of it is believed before it is bounded here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/worker/runner/wire.hpp"

namespace ridgeline::judge {

/// Returns the packet as a reply: its kind is known, its text ends within the message, and its seconds are a
/// finite number that a call can take. Empty: it is no message of ours, as a candidate's forgery may be. No
/// I/O.
std::optional<runner::Reply> read_reply(std::span<const std::byte> packet);

}  // namespace ridgeline::judge
