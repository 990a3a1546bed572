// Reads a file's bytes, and refuses texts that no YAML parser should see: too long, or not UTF-8.
#pragma once

#include <filesystem>
#include <string>

namespace ridgeline::yaml {

/// Bytes of the largest file that is read. A campaign file has some 5 kB; the limit keeps a wrong path (a
/// log, a model's weights) from filling the memory.
inline constexpr std::size_t largest_text = std::size_t{1} << 20;

/// Returns the file's bytes; a pipe is read to its end. Throws BadInput for a folder, for a file that cannot
/// be read, and for more than `largest_text` bytes; it never reads further than one byte beyond that.
std::string read_text_file(const std::filesystem::path& path);

/// Throws BadInput at the place of the first NUL, control character (other than tab, line feed and carriage
/// return) or byte that is not UTF-8, and for UTF-16. Messages name the text `name`, and with `places` also
/// the line and column.
void check_text(const std::string& text, const std::string& name, bool places);

}  // namespace ridgeline::yaml
