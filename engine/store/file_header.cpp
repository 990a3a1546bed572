#include "engine/store/file_header.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "engine/core/error.hpp"
#include "engine/store/schema.hpp"

namespace ridgeline::store {
namespace {

namespace fs = std::filesystem;

// https://www.sqlite.org/fileformat.html, "The Database Header".
constexpr std::string_view magic{"SQLite format 3\0", 16};
constexpr std::size_t header_bytes = 100, version_at = 60, application_at = 68;

using Header = std::array<char, header_bytes>;

std::int32_t big_endian(const Header& header, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(header[at + i]);
  return static_cast<std::int32_t>(value);
}

}  // namespace

void must_be_a_store(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return;
  if (fs::is_directory(status)) throw BadInput(path + " is a folder: name a file in it as the store");
  if (status.type() == fs::file_type::none)
    throw BadInput(path + " cannot be a store: " + error.message() + ". Name another file");
  if (!fs::is_regular_file(status))
    throw BadInput(path + " is no regular file: name another one as the store");
  std::ifstream file(path, std::ios::binary);
  Header header{};
  if (!file) return;  // whoever opens it next says why not
  file.read(header.data(), header.size());
  if (file.gcount() == 0) return;
  if (file.gcount() < static_cast<std::streamsize>(header.size()) ||
      !std::string_view(header.data(), 16).starts_with(magic))
    throw BadInput(
        path +
        " is not a Ridgeline store, and no SQLite file at all: name another file. If it was one, it is "
        "damaged: restore a copy, or save what can be read with `sqlite3 " +
        path + " .recover | sqlite3 rescued.db`");
  const int version = big_endian(header, version_at);
  if (big_endian(header, application_at) != application_id)
    return;  // that of another program, or not begun: SQLite knows
  // An older version here may be stale: its conversion may lie in the log, which only SQLite reads.
  if (version > schema_version) must_be_usable(version, path);
}

}  // namespace ridgeline::store
