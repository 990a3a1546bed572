// What a campaign tells while it runs. A port: the terminal, a log and tests listen.
#pragma once

#include <string>

#include "engine/core/effects.hpp"
#include "engine/core/verdict.hpp"
#include "engine/store/records.hpp"
#include "llm_clients/client.hpp"

namespace ridgeline::campaign {

/// Called on the campaign's thread. `where` is "task/strategy/seed".
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void planned(int /*trajectories*/, int /*already_finished*/) {}
  virtual void started(const std::string& /*where*/) {}
  virtual void answered(const std::string& /*where*/, int /*round*/, const store::AskRecord&) {}
  /// An attempt to ask brought nothing; the call goes on.
  virtual void attempt_failed(const std::string& /*where*/, const store::FailedAttemptRecord&) {}
  /// An endpoint is waited for, probed, or answers again.
  virtual void endpoint(const llm::EndpointState&) {}
  /// The machine failed, not the candidate: it will be evaluated again.
  virtual void evaluation_repeated(const std::string& /*where*/, const Verdict&) {}
  /// Nothing new is started any more.
  virtual void pausing(const std::string& /*reason*/) {}
  virtual void evaluated(const std::string& /*where*/, int /*round*/, const Verdict&) {}
  virtual void ended(const std::string& /*where*/, store::TrajectoryState, const std::string& /*detail*/) {}
};

}  // namespace ridgeline::campaign
