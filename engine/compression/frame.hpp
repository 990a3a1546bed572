// Compresses bytes into a zstd frame (RFC 8878) and back. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::compression {

/// Tells whether `bytes` begin as a zstd frame does.
bool is_frame(std::string_view bytes);

/// Compresses `bytes` into one frame that states its size. `level` is zstd's: 1 is fast, 19 is small. Throws
/// MachineCannot if memory runs out.
std::string compressed(std::string_view bytes, int level);

/// Decompresses all frames in `frames`, also those that do not state their size, as `zstd` makes them of a
/// pipe. Throws BadInput if a frame is damaged or incomplete, or if the result exceeds `largest` bytes.
std::string decompressed(std::string_view frames, std::size_t largest);

}  // namespace ridgeline::compression
