// Compresses raw exchanges for the store: into a zstd frame, or not at all where a frame would be no shorter.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::store {

/// Compresses `bytes` at zstd's level 1. Streamed answers repeat their envelope with every piece of text, so
/// level 1 shrinks them to a twentieth too; level 9 cost a third of the engine's rounds a second. Any thread.
std::string packed(std::string_view bytes);

/// Undoes `packed`. Returns bytes that are no frame as they are: `packed` found a frame no shorter, or an
/// early version of 0.1 wrote plain text. Throws MachineCannot where a frame is damaged.
std::string unpacked(std::string bytes);

}  // namespace ridgeline::store
