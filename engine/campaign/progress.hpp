// Declares the port through which a campaign reports while it runs: to the terminal, to a log, to tests.
#pragma once

#include <string>

#include "engine/core/effects.hpp"
#include "engine/core/verdict.hpp"
#include "engine/store/records.hpp"
#include "llm_clients/client.hpp"

namespace ridgeline::campaign {

/// Receives the events of a campaign, on the campaign's thread. A function that is not overridden does
/// nothing. `where` is the trajectory's address, "task/strategy/seed".
class Progress {
 public:
  virtual ~Progress() = default;
  /// Called once, before all others. `trajectories` is how many the campaign has; `already_finished` of them
  /// finished in earlier runs and do not run again.
  virtual void planned(int /*trajectories*/, int /*already_finished*/) {}
  /// A trajectory begins to run, or goes on where an earlier run left it.
  virtual void started(const std::string& /*where*/) {}
  /// A model request has its result, good or bad (AskRecord::status), which is committed to the store next.
  virtual void answered(const std::string& /*where*/, int /*round*/, const store::AskRecord&) {}
  /// An attempt to send a model request failed. The client may try again; `answered` reports the result.
  virtual void attempt_failed(const std::string& /*where*/, const store::FailedAttemptRecord&) {}
  /// Requests began to wait for an endpoint that fails, it was probed again, or it answers again.
  virtual void endpoint(const llm::EndpointState&) {}
  /// The machine failed, not the candidate, and the candidate will be evaluated again. The verdict says how
  /// the machine failed; it is not kept.
  virtual void evaluation_repeated(const std::string& /*where*/, const Verdict&) {}
  /// The campaign starts nothing new any more, and ends once the requests under way have. Called at most
  /// once.
  virtual void pausing(const std::string& /*reason*/) {}
  /// A candidate has its verdict, which is committed to the store next.
  virtual void evaluated(const std::string& /*where*/, int /*round*/, const Verdict&) {}
  /// A trajectory has finished or failed. `detail` says why it failed; "" if it finished. Not called for a
  /// trajectory that a pause cuts short.
  virtual void ended(const std::string& /*where*/, store::TrajectoryState, const std::string& /*detail*/) {}
};

}  // namespace ridgeline::campaign
