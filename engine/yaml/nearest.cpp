#include "engine/yaml/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/nearest.hpp"

namespace ridgeline::yaml {

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t longest_list = 24;
  if (known.empty()) return "";
  std::string list;
  for (std::size_t i = 0; i < std::min(known.size(), longest_list); ++i)
    list += (i > 0 ? ", " : "") + known[i];
  if (known.size() > longest_list) list += fmt::format(", and {} more", known.size() - longest_list);
  const auto meant = nearest_name(name, known);
  return meant.empty() ? fmt::format(" (known: {})", list)
                       : fmt::format("; did you mean '{}'? (known: {})", meant, list);
}

}  // namespace ridgeline::yaml
