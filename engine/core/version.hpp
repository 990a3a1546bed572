// The version that stands in stores, exports and `ridgeline --version`.
#pragma once

#include <string_view>

namespace ridgeline {

inline constexpr std::string_view version = "0.1.0";

}  // namespace ridgeline
