// What makes a text no YAML before a parser sees it: bytes that are no text, and too many of them.
#pragma once

#include <filesystem>
#include <string>

namespace ridgeline::yaml {

/// Bytes of the largest file that is read. The largest that ships has 5 kB.
inline constexpr std::size_t largest_text = std::size_t{1} << 20;

/// The file's bytes; a pipe is read to its end. Throws BadInput for a folder, a file that cannot be read and
/// one over `largest_text`, of which no more than that is read.
std::string read_text_file(const std::filesystem::path& path);

/// Throws BadInput with the place of the first NUL, control character or byte that is not UTF-8, and for
/// UTF-16. `name` begins the place; with `places` false it is all there is.
void check_text(const std::string& text, const std::string& name, bool places);

}  // namespace ridgeline::yaml
