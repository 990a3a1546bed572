#include "engine/yaml/source_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "engine/core/error.hpp"
#include "engine/core/utf8.hpp"
#include "engine/yaml/place.hpp"

namespace ridgeline::yaml {
namespace {

namespace fs = std::filesystem;

bool is_utf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

/// Tells a character outside YAML's printable set (YAML 1.2, c-printable). A terminal would obey some of them
/// where a message quotes the line.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1)
    return (first < 0x20 && first != '\t' && first != '\n' && first != '\r') || first == 0x7F;
  const auto second = static_cast<unsigned char>(character[1]);
  return first == 0xC2 && second < 0xA0 && second != 0x85;  // U+0080 to U+009F, without "next line"
}

// Describes the bad character at the start of `rest`; `length` is its length in bytes, 0 where it is no
// UTF-8.
std::string fault(std::string_view rest, std::size_t length) {
  const auto byte = static_cast<unsigned char>(rest[0]);
  if (byte == 0) return "a NUL byte; this is no text, or a damaged one: write the line anew";
  if (length == 0) return fmt::format("the byte 0x{:02X} is not UTF-8; save the file as UTF-8", byte);
  const unsigned code = length == 1 ? byte : static_cast<unsigned char>(rest[1]);
  return fmt::format("the control character U+{:04X}; remove it, or write \"\\x{:02X}\" in double quotes",
                     code, code);
}

}  // namespace

std::string read_text_file(const fs::path& path) {
  // Opening a folder succeeds; only reading it fails, without setting errno where the stream swallows it.
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw BadInput(fmt::format("{}: is a folder, not a file; name a file in it", path.string()));
  const auto too_large = [&](const std::string& size) {
    throw BadInput(fmt::format("{}: has {}; a YAML file may have {} KiB: is this the right file?",
                               path.string(), size, largest_text >> 10));
  };
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw BadInput(
        fmt::format("{}: cannot be read: {}; name another file", path.string(), std::strerror(errno)));
  if (fs::is_regular_file(path, ignored))
    if (const auto size = fs::file_size(path, ignored); !ignored && size > largest_text)
      too_large(fmt::format("{} KiB", size >> 10));
  std::string text(largest_text + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) throw BadInput(fmt::format("{}: cannot be read to its end", path.string()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > largest_text) too_large(fmt::format("more than {} KiB", largest_text >> 10));
  return text;
}

void check_text(const std::string& text, const std::string& name, bool places) {
  Place place{std::make_shared<const std::string>(name), 0, 0};
  if (is_utf16(text)) throw BadInput(place.text() + ": is UTF-16; save the file as UTF-8");
  if (places) place.line = place.column = 1;
  for (std::string_view rest = text; !rest.empty();) {
    const auto length = utf8_length(rest);
    if (length == 0 || is_control(rest.substr(0, length)))
      throw BadInput(fmt::format("{}: {}", place.text(), fault(rest, length)));
    if (rest[0] == '\n') {
      ++place.line;
      place.column = 0;
    }
    ++place.column;
    rest.remove_prefix(length);
  }
}

}  // namespace ridgeline::yaml
