// The text of engine/core/draw_numbers.inc, which NVRTC compiles for a device.
#pragma once

namespace ridgeline::cuda {

/// A text as ridgeline_embed makes it.
struct EmbeddedText {
  const char* name;
  const char* text;
};

/// Returns the text; it lives as long as the program.
const char* number_text();

namespace detail {
extern const EmbeddedText number_texts[];
}

}  // namespace ridgeline::cuda
