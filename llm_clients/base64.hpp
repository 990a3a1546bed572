// Base64 (RFC 4648) for proxy credentials and for finding encoded keys.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::llm {

/// Encodes with padding, without line breaks.
std::string base64(std::string_view bytes);

}  // namespace ridgeline::llm
