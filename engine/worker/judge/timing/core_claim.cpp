#include "engine/worker/judge/timing/core_claim.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <utility>

namespace ridgeline::judge {

/// Binds a socket to an abstract name: one process can hold it, and the kernel frees it with that process. A
/// file to lock would need a folder in which every user may write.
std::optional<CoreClaim> CoreClaim::take(int core) {
  FileDescriptor name(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!name) return std::nullopt;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto text = fmt::format("ridgeline/core/{}", core);
  std::memcpy(address.sun_path + 1, text.data(), text.size());  // a leading zero makes it abstract
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  if (::bind(name.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) return std::nullopt;
  return CoreClaim(std::move(name));
}

}  // namespace ridgeline::judge
