#pragma once

#include <string>
#include <string_view>

namespace ridgeline::llm {

/// With padding, in one line.
std::string base64(std::string_view bytes);

}  // namespace ridgeline::llm
