#include "engine/core/counted_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ridgeline {

std::string counted_reasons(const std::string& what, const std::map<std::string, int>& reasons) {
  constexpr std::size_t most = 4;
  std::vector<std::pair<std::string, int>> sorted(reasons.begin(), reasons.end());
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
  return fmt::format("{}: {} ({})", what, all, list);
}

}  // namespace ridgeline
