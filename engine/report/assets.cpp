#include "engine/report/assets.hpp"

namespace ridgeline::report {

std::string_view asset(std::string_view name) {
  for (const auto* each = assets; each->name != nullptr; ++each)
    if (name == each->name) return each->text;
  return "";
}

}  // namespace ridgeline::report
