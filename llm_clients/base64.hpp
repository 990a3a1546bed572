// Base64 (RFC 4648, with + and /) for proxy credentials, and for the redactor, which also searches for
// encoded keys.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::llm {

/// Returns `bytes` encoded, with padding and without line breaks; "" for "".
std::string base64(std::string_view bytes);

}  // namespace ridgeline::llm
