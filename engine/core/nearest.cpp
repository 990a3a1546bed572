#include "engine/core/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace ridgeline {
namespace {

/// Computes Levenshtein's distance, keeping one row of the table.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wanted, std::span<const std::string> names) {
  std::string best;
  // Half of the letters may differ, two in a short name: beyond that a guess is more confusing than the list.
  std::size_t best_distance = std::max<std::size_t>(2, wanted.size() / 2) + 1;
  for (const auto& name : names) {
    // std::minmax would return references to temporaries.
    const auto shorter = std::min(wanted.size(), name.size()), longer = std::max(wanted.size(), name.size());
    if (longer - shorter >= best_distance) continue;  // no distance is less; a name may be a whole file
    const auto distance = edit_distance(wanted, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string suggestion(std::string_view wanted, std::span<const std::string> names) {
  const auto nearest = nearest_name(wanted, names);
  if (!nearest.empty()) return fmt::format("; did you mean \"{}\"?", nearest);
  return names.empty() ? "" : fmt::format("; there are: {}", fmt::join(names, ", "));
}

}  // namespace ridgeline
