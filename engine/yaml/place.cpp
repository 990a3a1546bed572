#include "engine/yaml/place.hpp"

#include <fmt/format.h>

namespace ridgeline::yaml {

std::string Place::text() const {
  if (!source) return "?";
  return line > 0 ? fmt::format("{}:{}:{}", *source, line, column) : *source;
}

}  // namespace ridgeline::yaml
