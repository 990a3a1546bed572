// Compresses bytes into zstd frames (RFC 8878) and decompresses them. Every function may be called from any
// thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace ridgeline::compression {

/// Returns whether `bytes` begin with zstd's magic number. Nothing behind it is checked.
bool is_frame(std::string_view bytes);

/// Compresses `bytes` into one frame, whose header states their number. `level` is zstd's: 1 is fast, 19 is
/// small. Throws MachineCannot if memory runs out.
std::string compressed(std::string_view bytes, int level);

/// Decompresses frames that follow each other, and returns their contents joined. A frame need not state its
/// size: `zstd` states none when it reads a pipe. Throws BadInput if `frames` is empty, if a frame is damaged
/// or incomplete, or once the contents exceed `largest` bytes.
std::string decompressed(std::string_view frames, std::size_t largest);

/// Decompresses a file of frames, to 4 GiB at most. Throws BadInput that names the file where `decompressed`
/// does, and for a file that cannot be read.
std::string decompressed_file(const std::filesystem::path& file);

}  // namespace ridgeline::compression
