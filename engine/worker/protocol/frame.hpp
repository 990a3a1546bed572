// Frames a JSON document for a pipe: four bytes of length, little endian, then the text of one object.
//
// Either end of a pipe may be a program that forwards bytes (srun, ssh, docker run -i), and some of those
// print a greeting first. So the fifth byte must be the opening brace; otherwise the error shows what was
// read. Nothing here keeps global state. A process that writes to pipes must ignore SIGPIPE: a reader that
// is gone then shows as an error of `write_frame`.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/error.hpp"

namespace ridgeline::protocol {

/// The other side sent something that is not this protocol, or its stream ended within a message.
class ProtocolError : public Error {
 public:
  using Error::Error;
};

/// The largest document in bytes. A frame that announces more is an error before anything is allocated.
inline constexpr std::size_t frame_limit = std::size_t{256} << 20;

/// Returns length and text. Invalid UTF-8 becomes U+FFFD. Throws ProtocolError over the limit.
std::string encode_frame(const nlohmann::json& document);

/// Cuts a stream of bytes, fed in pieces of any size, into documents. Pure. After an error it must not be
/// used.
class FrameReader {
 public:
  /// Appends bytes that were read.
  void feed(std::string_view bytes);
  /// Returns the next whole document; nullopt if more bytes are needed. Throws ProtocolError on malformed
  /// input.
  std::optional<nlohmann::json> next();
  /// Returns how many bytes must still come before `next` can return a document, or before it can know the
  /// frame's length; 0 if it can return one now. Call it after `next` has returned nullopt, since bytes that
  /// are no frame count as the beginning of one here. A blocking reader that asks for no more than that reads
  /// exactly one frame.
  std::size_t lacking() const;
  /// Whether the stream is between two documents, the only place where it may end.
  bool at_boundary() const { return begin_ == buffer_.size(); }

 private:
  std::string buffer_;
  std::size_t begin_ = 0;  ///< bytes before it were consumed
};

/// Encodes a document as a JSON line with its line end, for files. Its length is not limited here. Readers
/// skip empty lines.
std::string encode_line(const nlohmann::json& document);

/// Blocks until a document has arrived. nullopt: the stream ended between two documents. Throws
/// ProtocolError on malformed input or an end within a frame, MachineCannot if the descriptor cannot be
/// read.
std::optional<nlohmann::json> read_frame(int fd);

/// Blocks until everything is written. Throws ProtocolError if the reader is gone, MachineCannot on other
/// failures.
void write_frame(int fd, const nlohmann::json& document);

}  // namespace ridgeline::protocol
