#include "engine/worker/languages/prelude.hpp"

#include <algorithm>
#include <array>

namespace ridgeline::languages {
namespace {

/// Headers that are quicker to read than the precompiled one is to load.
constexpr std::array<std::string_view, 14> kLight = {
    "cstdint",  "stdint.h", "cstddef", "stddef.h", "cstring",  "string.h", "climits",
    "limits.h", "cfloat",   "float.h", "math.h",   "stdlib.h", "cassert",  "stdio.h"};

}  // namespace

bool gains_from_prelude(std::string_view source) {
  for (auto at = source.find("#include"); at != std::string_view::npos;
       at = source.find("#include", at + 1)) {
    const auto line = source.substr(at, source.find('\n', at) - at);
    const auto open = line.find('<'), close = line.find('>');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) continue;
    if (std::ranges::find(kLight, line.substr(open + 1, close - open - 1)) == kLight.end()) return true;
  }
  return false;
}

}  // namespace ridgeline::languages
