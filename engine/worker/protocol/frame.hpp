// How a JSON document travels between processes: four bytes of length, little endian, then the text, an
// object.
//
// Both ends of a pipe may be anything that forwards bytes (srun, ssh, docker run -i), and some of those print
// a greeting first. So the fifth byte must be the opening brace; else the error shows what was read. Nothing
// here keeps global state. Whoever writes to pipes ignores SIGPIPE: a peer that is gone then shows as an
// error of `write_frame`.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/error.hpp"

namespace ridgeline::protocol {

/// What the other side sent is not of this protocol, or ended in the middle of it.
class ProtocolError : public Error {
 public:
  using Error::Error;
};

/// Bytes of one document at most; a frame that claims more is an error before anything is allocated.
inline constexpr std::size_t frame_limit = std::size_t{256} << 20;

/// Length and text. Bytes that are no UTF-8 become U+FFFD. Throws ProtocolError over the limit.
std::string encode_frame(const nlohmann::json& document);

/// Bytes in, in pieces of any size; documents out. Pure. After an error the stream is of no more use.
class FrameReader {
 public:
  void feed(std::string_view bytes);
  /// The next whole document; nullopt: feed more. Throws ProtocolError on what is no frame.
  std::optional<nlohmann::json> next();
  /// Bytes that are surely still to come before `next` can give a document or refuse; 0 if it can now. A
  /// blocking reader that asks for no more than that takes exactly one frame off the stream.
  std::size_t lacking() const;
  /// True between two documents: the only place where a stream may end.
  bool at_boundary() const { return begin_ == buffer_.size(); }

 private:
  std::string buffer_;
  std::size_t begin_ = 0;  ///< what lies before was taken
};

/// The same documents as JSON lines, for files. A line may be of `frame_limit` bytes; empty ones are skipped.
std::string encode_line(const nlohmann::json& document);

/// Blocks until one document is there. nullopt: the stream ended between two documents. Throws ProtocolError
/// on nonsense or an end inside a frame, MachineCannot when the descriptor cannot be read.
std::optional<nlohmann::json> read_frame(int fd);

/// Blocks until all is written. Throws ProtocolError if the reader is gone, MachineCannot on other failures.
void write_frame(int fd, const nlohmann::json& document);

}  // namespace ridgeline::protocol
