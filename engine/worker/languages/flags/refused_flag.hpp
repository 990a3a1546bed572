// Says in words why a compiler flag is refused, and what to write in its place. Pure.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::languages {

/// Returns "the compiler flag -I/x is not allowed; leave it out: …". `of_nvcc`: it stands among nvcc's flags.
std::string refusal_of(std::string_view flag, bool of_nvcc);

}  // namespace ridgeline::languages
