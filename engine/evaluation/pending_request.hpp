// A request on its way through the pool: what is sent for it, and what each of its possible ends means to the
// asker.
//
// The ends return the call to make, so that the pool decides when: callbacks never run inside a call from
// above.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "engine/evaluation/evaluator.hpp"

namespace ridgeline::evaluation {

using CheckOutcome = std::variant<protocol::Checked, protocol::Failed>;

class PendingRequest {
 public:
  using Call = std::function<void()>;

  PendingRequest(EvaluateRequest request, std::function<void(Verdict)> done)
      : request_(std::move(request)), done_(std::move(done)) {}
  PendingRequest(std::shared_ptr<const Task> task, std::function<void(CheckOutcome)> done)
      : request_{std::move(task), {}, {}, {}}, check_(std::move(done)) {}

  bool wanted() const { return !request_.wanted || request_.wanted(); }
  protocol::ToWorker message(const std::string& id) const;

  /// A worker's answer, believed only if it is of this kind and of this candidate. The request is used up.
  Call answered(protocol::Evaluated evaluated) &&;
  Call answered(protocol::Checked checked) &&;
  Call answered(protocol::Failed failed) &&;
  /// No worker could answer.
  Call lost(const std::string& why) &&;

 private:
  EvaluateRequest request_;
  std::function<void(Verdict)> done_;        ///< of an evaluation
  std::function<void(CheckOutcome)> check_;  ///< of a check
};

}  // namespace ridgeline::evaluation
