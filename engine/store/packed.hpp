// Raw exchanges as they lie in the store: a zstd frame, or the bytes themselves where a frame would be
// longer.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::store {

/// Fast (level 1): streamed answers repeat their envelope with every piece of text, and shrink to a twentieth
/// all the same. Level 9 cost a third of the engine's rounds a second.
std::string packed(std::string_view bytes);

/// What `packed` was given. Bytes that are no frame (early versions of 0.1 wrote plain text) come back as
/// they are. Throws MachineCannot where a frame is damaged.
std::string unpacked(std::string bytes);

}  // namespace ridgeline::store
