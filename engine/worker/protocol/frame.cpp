#include "engine/worker/protocol/frame.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"

namespace ridgeline::protocol {
namespace {

constexpr std::size_t header_size = 4;

/// Decodes by shifts, so that the byte order of the machine does not matter.
std::size_t length_of(std::string_view header) {
  std::uint32_t length = 0;
  for (std::size_t i = header_size; i-- > 0;) length = length << 8 | static_cast<unsigned char>(header[i]);
  return length;
}

/// Quotes the beginning of what was read, safe for a terminal.
std::string quoted_beginning(std::string_view bytes) {
  constexpr std::size_t most = 160;
  std::string text;
  for (const char c : bytes.substr(0, most)) {
    if (c == '\n')
      text += "\\n";
    else
      // A greeting may contain escape sequences, which must not reach the user's terminal.
      text += c < ' ' || c == '\x7f' ? '.' : c;
  }
  // Bytes beyond ASCII pass through `dump_json`, which replaces invalid UTF-8.
  std::string quoted = dump_json(nlohmann::json(text));
  return bytes.size() > most ? quoted + "…" : quoted;
}

[[noreturn]] void refuse(std::string_view bytes) {
  throw ProtocolError(
      "this is no frame of Ridgeline's protocol, it begins with " + quoted_beginning(bytes) +
      ": does the launcher or the shell at the other end print a greeting? Silence it (ssh -T -q, "
      "a quiet login file); a worker writes nothing but frames to stdout");
}

nlohmann::json parse(std::string_view text) {
  // The reader accepted the opening brace, so anything else here is a broken or foreign program.
  auto document = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    throw ProtocolError("a frame does not hold a JSON object, but " + quoted_beginning(text));
  return document;
}

}  // namespace

std::string encode_frame(const nlohmann::json& document) {
  const std::string text = dump_json(document);
  // Refused by the sender, who can name the message; the receiver could only end the connection.
  if (text.size() > frame_limit)
    throw ProtocolError("a message of " + std::to_string(text.size()) +
                        " bytes is over the protocol's limit of " + std::to_string(frame_limit));
  std::string frame;
  frame.reserve(header_size + text.size());
  for (std::size_t i = 0; i < header_size; ++i) frame += static_cast<char>(text.size() >> 8 * i & 0xff);
  return frame + text;
}

std::string encode_line(const nlohmann::json& document) {
  return dump_json(document) + "\n";
}

void FrameReader::feed(std::string_view bytes) {
  if (begin_ > buffer_.size() / 2) {  // moves each byte at most twice, however small the pieces
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  buffer_ += bytes;
}

std::size_t FrameReader::lacking() const {
  const std::string_view pending = std::string_view(buffer_).substr(begin_);
  // Five bytes are enough to refuse or to know the length.
  const std::size_t whole = header_size + (pending.size() > header_size ? length_of(pending) : 1);
  return whole > pending.size() ? whole - pending.size() : 0;
}

std::optional<nlohmann::json> FrameReader::next() {
  const std::string_view pending = std::string_view(buffer_).substr(begin_);
  if (pending.size() <= header_size) return std::nullopt;
  const std::size_t length = length_of(pending);
  // An object has at least the two bytes "{}".
  if (length > frame_limit || length < 2 || pending[header_size] != '{') refuse(pending);
  if (pending.size() < header_size + length) return std::nullopt;
  auto document = parse(pending.substr(header_size, length));
  begin_ += header_size + length;
  return document;
}

}  // namespace ridgeline::protocol
