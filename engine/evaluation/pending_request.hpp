// A request on its way through the pool: an evaluation, which asks for a candidate's verdict, or a check,
// which asks a worker to prove a task itself (protocol::CheckTask) and has no candidate. It makes the message
// to send, and turns each possible end into the callback of whoever made the request.
//
// The methods for its ends return the callback, and the pool decides when to run it: a callback never runs
// inside a call of `evaluate` or `check`. One thread.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "engine/evaluation/evaluator.hpp"

namespace ridgeline::evaluation {

/// The end of a check: what was proved and what failed (protocol::CheckItem), or why no worker could check.
using CheckOutcome = std::variant<protocol::Checked, protocol::Failed>;

/// An evaluation or a check that has no answer yet.
class PendingRequest {
 public:
  using Call = std::function<void()>;

  PendingRequest(EvaluateRequest request, std::function<void(Verdict)> done)
      : request_(std::move(request)), done_(std::move(done)) {}
  PendingRequest(std::shared_ptr<const Task> task, std::function<void(CheckOutcome)> done)
      : request_{std::move(task), {}, {}, {}}, check_(std::move(done)) {}

  /// Whether the verdict is still needed (EvaluateRequest::wanted).
  bool wanted() const { return !request_.wanted || request_.wanted(); }
  /// Makes the message to a worker.
  protocol::ToWorker message(const std::string& id) const;

  /// Takes a worker's answer. A message of the other kind, or a verdict of another candidate, counts as the
  /// worker's failure. A failure of an evaluation reaches the callback as a Verdict that says so. Do not use
  /// the request after these.
  Call answered(protocol::Evaluated evaluated) &&;
  Call answered(protocol::Checked checked) &&;
  Call answered(protocol::Failed failed) &&;
  /// Ends the request without an answer: no worker could give one.
  Call lost(const std::string& why) &&;

 private:
  EvaluateRequest request_;
  std::function<void(Verdict)> done_;        ///< set for an evaluation
  std::function<void(CheckOutcome)> check_;  ///< set for a check
};

}  // namespace ridgeline::evaluation
