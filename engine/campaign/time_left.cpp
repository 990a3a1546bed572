#include "engine/campaign/time_left.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::campaign {
namespace {

std::string rough(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  if (seconds < 36 * 3600) return fmt::format("{:.0f} h", std::ceil(seconds / 3600));
  return fmt::format("{:.0f} days", std::ceil(seconds / 86400));
}

}  // namespace

void TimeLeft::stepped(const std::string& where) {
  ++steps_;
  ++running_[where];
}

void TimeLeft::ended(const std::string& where) {
  ++ended_;
  steps_of_ended_ += running_[where];
  running_.erase(where);
}

std::string TimeLeft::text(double seconds) const {
  if (steps_ == 0 || ended_ >= trajectories_) return "";
  const bool known = steps_of_ended_ > 0;
  const double all = known ? static_cast<double>(steps_of_ended_) / ended_ * trajectories_
                           : static_cast<double>(most_calls_and_evaluations_);
  // A trajectory that is longer than the others before it takes a step more, at least.
  const double left = std::max(1.0, all - static_cast<double>(steps_));
  return fmt::format("{} {} left", known ? "about" : "at most",
                     rough(left * seconds / static_cast<double>(steps_)));
}

}  // namespace ridgeline::campaign
