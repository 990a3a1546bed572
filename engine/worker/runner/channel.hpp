// One end of the socket between judge and runner: whole packets, descriptors beside them. No allocation.
#pragma once

#include <cstddef>
#include <span>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::runner {

struct ChannelPair {
  FileDescriptor judge;
  FileDescriptor runner;
};

/// A connected pair, closed on exec; the sandbox hands the runner's end over. Throws MachineCannot.
ChannelPair make_channel();

/// One packet, with `fds` beside it. False if the other end is gone or the packet is too large.
bool send_packet(int channel, const void* data, std::size_t bytes, std::span<const int> fds = {}) noexcept;

struct Received {
  std::size_t bytes = 0;        ///< 0: the other end is gone
  std::size_t descriptors = 0;  ///< written to `fds`; the receiver owns them
};

/// Blocks for one packet. Descriptors beyond `fds` never arrive; give none and none is accepted.
Received receive_packet(int channel, void* data, std::size_t capacity, std::span<int> fds = {}) noexcept;

/// Looks for a packet, or the other end's end, up to `tries` times without sleeping: some 0.3 µs each. A
/// process that sleeps takes tens of microseconds to wake up, which no short window on a GPU can bear.
void look_for_packet(int channel, int tries) noexcept;

}  // namespace ridgeline::runner
