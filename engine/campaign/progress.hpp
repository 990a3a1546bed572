// The port through which a campaign reports while it runs: to the terminal, to a log, to tests.
#pragma once

#include <string>

#include "engine/core/effects.hpp"
#include "engine/core/verdict.hpp"
#include "engine/store/records.hpp"
#include "llm_clients/client.hpp"

namespace ridgeline::campaign {

/// Receives events on the campaign's thread. Each does nothing unless overridden. `where` is the trajectory's
/// address, "task/strategy/seed".
class Progress {
 public:
  virtual ~Progress() = default;
  /// Comes first, once.
  virtual void planned(int /*trajectories*/, int /*already_finished*/) {}
  /// A trajectory runs from now on.
  virtual void started(const std::string& /*where*/) {}
  /// A model request has its result, which is about to be committed.
  virtual void answered(const std::string& /*where*/, int /*round*/, const store::AskRecord&) {}
  /// An attempt of a request failed; the request goes on.
  virtual void attempt_failed(const std::string& /*where*/, const store::FailedAttemptRecord&) {}
  /// An endpoint went out, was probed, or answers again.
  virtual void endpoint(const llm::EndpointState&) {}
  /// The machine failed and not the candidate, which will be evaluated again.
  virtual void evaluation_repeated(const std::string& /*where*/, const Verdict&) {}
  /// The campaign starts nothing new any more.
  virtual void pausing(const std::string& /*reason*/) {}
  /// A candidate has its verdict, which is about to be committed.
  virtual void evaluated(const std::string& /*where*/, int /*round*/, const Verdict&) {}
  /// A trajectory has finished or failed.
  virtual void ended(const std::string& /*where*/, store::TrajectoryState, const std::string& /*detail*/) {}
};

}  // namespace ridgeline::campaign
