#include "engine/worker/runner/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "engine/core/error.hpp"
#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {

ChannelPair make_channel() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw MachineCannot(std::string("socketpair for a runner: ") + std::strerror(errno));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

bool send_packet(int channel, const void* data, std::size_t bytes, std::span<const int> fds) noexcept {
  iovec part{const_cast<void*>(data), bytes};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxMemories * sizeof(int))];
  if (!fds.empty()) {
    if (fds.size() > kMaxMemories) return false;
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
  }
  for (;;) {
    const auto sent = ::sendmsg(channel, &message, MSG_NOSIGNAL);  // a closed end is an answer, not SIGPIPE
    if (sent >= 0) return static_cast<std::size_t>(sent) == bytes;
    if (errno != EINTR) return false;
  }
}

Received receive_packet(int channel, void* data, std::size_t capacity, std::span<int> fds) noexcept {
  iovec part{data, capacity};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxMemories * sizeof(int))];
  if (!fds.empty()) {
    message.msg_control = control;
    message.msg_controllen =
        CMSG_SPACE((fds.size() < kMaxMemories ? fds.size() : kMaxMemories) * sizeof(int));
  }
  // The kernel closes descriptors beyond the room for them, so a sender cannot fill this process's table.
  ssize_t got = 0;
  do got = ::recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  Received received;
  if (got < 0) return received;
  received.bytes = static_cast<std::size_t>(got);
  const cmsghdr* header = fds.empty() ? nullptr : CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    const std::size_t came = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    // Receivers take an empty packet for the end of the channel, and would leave its descriptors open.
    received.descriptors = got == 0 ? 0 : std::min(came, fds.size());
    std::memcpy(fds.data(), CMSG_DATA(header), received.descriptors * sizeof(int));
    // CMSG_SPACE rounds up to whole words, so an odd number has room for one more, which the kernel fills.
    for (std::size_t i = received.descriptors; i < came; ++i) {
      int surplus = -1;
      std::memcpy(&surplus, CMSG_DATA(header) + i * sizeof(int), sizeof surplus);
      ::close(surplus);
    }
  }
  return received;
}

}  // namespace ridgeline::runner
