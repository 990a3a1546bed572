// Sends and receives over the socket between judge and runner: whole packets, with descriptors beside them.
// Nothing here allocates. A channel is used by one thread on each side.
#pragma once

#include <cstddef>
#include <span>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::runner {

struct ChannelPair {
  FileDescriptor judge;
  FileDescriptor runner;
};

/// Makes a connected pair, whose ends are close-on-exec; the sandbox passes the runner's end to the runner.
/// Throws MachineCannot.
ChannelPair make_channel();

/// Sends one packet with `fds` beside it, which stay the caller's. Waits while the socket is full. Returns
/// false if the other end is gone, the packet is too large, or `fds` are more than kMaxMemories (wire.hpp).
bool send_packet(int channel, const void* data, std::size_t bytes, std::span<const int> fds = {}) noexcept;

/// Counts what was received.
struct Received {
  std::size_t bytes = 0;        ///< 0: the other end is gone, the call failed, or the packet was empty
  std::size_t descriptors = 0;  ///< written to `fds`, close-on-exec; the receiver owns them. 0 if `bytes` is
};

/// Waits for one packet, without limit. Cuts off what a packet has beyond `capacity`. Closes the descriptors
/// that `fds` has no room for, and all that come beside an empty packet.
Received receive_packet(int channel, void* data, std::size_t capacity, std::span<int> fds = {}) noexcept;

}  // namespace ridgeline::runner
