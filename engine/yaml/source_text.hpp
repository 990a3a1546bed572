// Reads a file's bytes and refuses those that no YAML parser should see: too many, or no UTF-8 text.
#pragma once

#include <filesystem>
#include <string>

namespace ridgeline::yaml {

/// Bytes of the largest file that is read. A campaign file has some 5 kB; the limit keeps a wrong path (a
/// log, a model's weights) from filling the memory.
inline constexpr std::size_t largest_text = std::size_t{1} << 20;

/// Returns the file's bytes; a pipe is read to its end. Throws BadInput for a folder, a file that cannot be
/// read, and a larger one than `largest_text`, of which only one byte more than that is read.
std::string read_text_file(const std::filesystem::path& path);

/// Throws BadInput at the place of the first NUL, control character or byte that is not UTF-8, and for
/// UTF-16. `name` is the place's source; with `places` false the place has no line.
void check_text(const std::string& text, const std::string& name, bool places);

}  // namespace ridgeline::yaml
