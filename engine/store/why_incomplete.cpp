#include "engine/store/why_incomplete.hpp"

#include "engine/core/one_line.hpp"

namespace ridgeline::store {

std::string why_incomplete(const TrajectoryRecord& trajectory) {
  using enum TrajectoryState;
  constexpr std::size_t most = 80;  // it stands in a list of several
  if (trajectory.state == pending || trajectory.state == finished) return "";
  const auto& detail = trajectory.detail;
  const auto first = in_one_line(detail.substr(0, detail.find('\n'))).substr(0, most);
  if (trajectory.state == running || first.empty()) return std::string(to_string(trajectory.state));
  return trajectory.state == failed ? "failed: " + first : first;
}

}  // namespace ridgeline::store
