// What a campaign tells while it runs. A port: the terminal, a log and tests listen.
#pragma once

#include <string>

#include "engine/core/effects.hpp"
#include "engine/core/verdict.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::campaign {

/// Called on the campaign's thread. `where` is "task/strategy/seed".
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void planned(int /*trajectories*/, int /*already_finished*/) {}
  virtual void started(const std::string& /*where*/) {}
  virtual void answered(const std::string& /*where*/, int /*round*/, const store::AskRecord&) {}
  virtual void evaluated(const std::string& /*where*/, int /*round*/, const Verdict&) {}
  virtual void ended(const std::string& /*where*/, store::TrajectoryState, const std::string& /*detail*/) {}
};

}  // namespace ridgeline::campaign
