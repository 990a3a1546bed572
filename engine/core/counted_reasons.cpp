#include "engine/core/counted_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ridgeline {

std::string counted_reasons(const std::string& subject, const std::map<std::string, int>& reasons) {
  constexpr std::size_t most = 4;  // a line of a report, not a table
  std::vector<std::pair<std::string, int>> sorted(reasons.begin(), reasons.end());
  // Stable over the map's order, so that equally frequent reasons stand in the same order in every report.
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
  int all = 0, others = 0;
  std::string list;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& [reason, count] = sorted[i];
    all += count;
    if (i >= most)
      others += count;
    else
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, reason);
  }
  if (others > 0) list += fmt::format(", {} for other reasons", others);
  return fmt::format("{}: {} ({})", subject, all, list);
}

}  // namespace ridgeline
