// The blocking half of framing: whole frames from and to a descriptor.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/worker/protocol/frame.hpp"

namespace ridgeline::protocol {

std::optional<nlohmann::json> read_frame(int fd) {
  constexpr std::size_t most_at_once = std::size_t{1}
                                       << 20;  // a wrong length must not allocate 256 MB at once
  FrameReader reader;
  std::string piece;
  while (true) {
    if (auto document = reader.next()) return document;
    // Asks for no byte of the next frame, which would be lost when this reader is destroyed.
    piece.resize(std::min(reader.lacking(), most_at_once));
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got > 0) {
      reader.feed(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    } else if (got == 0) {
      if (reader.at_boundary()) return std::nullopt;
      throw ProtocolError("the other process ended in the middle of a message");
    } else if (errno != EINTR) {
      throw MachineCannot(std::string("read from the other process: ") + std::strerror(errno));
    }
  }
}

void write_frame(int fd, const nlohmann::json& document) {
  const std::string frame = encode_frame(document);
  for (std::size_t done = 0; done < frame.size();) {
    const ssize_t wrote = ::write(fd, frame.data() + done, frame.size() - done);
    if (wrote >= 0) {
      done += static_cast<std::size_t>(wrote);
      continue;
    }
    if (errno == EINTR) continue;
    // The caller must ignore SIGPIPE (frame.hpp), or the process would end here.
    if (errno == EPIPE || errno == ECONNRESET)
      throw ProtocolError("the process that reads these messages is gone");
    throw MachineCannot(std::string("write to the other process: ") + std::strerror(errno));
  }
}

}  // namespace ridgeline::protocol
