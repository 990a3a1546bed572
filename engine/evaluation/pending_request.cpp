#include "engine/evaluation/pending_request.hpp"

#include <utility>

#include "engine/evaluation/no_verdict.hpp"

namespace ridgeline::evaluation {
namespace {

PendingRequest::Call call_with(std::function<void(Verdict)> done, Verdict verdict) {
  return [done = std::move(done), verdict = std::move(verdict)]() mutable { done(std::move(verdict)); };
}

PendingRequest::Call call_with(std::function<void(CheckOutcome)> done, CheckOutcome outcome) {
  return [done = std::move(done), outcome = std::move(outcome)]() mutable { done(std::move(outcome)); };
}

protocol::Failed broken(const std::string& what) {
  return {"", protocol::Failure::judge_failed, what + ": the worker is broken"};
}

}  // namespace

protocol::ToWorker PendingRequest::message(const std::string& id) const {
  if (check_) return protocol::CheckTask{id, *request_.task};
  return protocol::Evaluate{id, *request_.task, request_.candidate, request_.settings};
}

PendingRequest::Call PendingRequest::answered(protocol::Evaluated evaluated) && {
  if (check_) return std::move(*this).answered(broken("a verdict came for a check"));
  // Results are stored by the candidate's hash, so a mixed-up verdict would be believed for ever.
  if (evaluated.verdict.candidate != request_.candidate.hash)
    return std::move(*this).answered(broken("the verdict is of another candidate"));
  return call_with(std::move(done_), std::move(evaluated.verdict));
}

PendingRequest::Call PendingRequest::answered(protocol::Checked checked) && {
  if (!check_) return std::move(*this).answered(broken("a check came for a verdict"));
  return call_with(std::move(check_), CheckOutcome(std::move(checked)));
}

PendingRequest::Call PendingRequest::answered(protocol::Failed failed) && {
  if (check_) return call_with(std::move(check_), CheckOutcome(std::move(failed)));
  return call_with(std::move(done_), failed_verdict(request_, failed));
}

PendingRequest::Call PendingRequest::lost(const std::string& why) && {
  if (check_)
    return call_with(std::move(check_),
                     CheckOutcome(protocol::Failed{"", protocol::Failure::machine_cannot, why}));
  return call_with(std::move(done_), worker_lost_verdict(request_, why));
}

}  // namespace ridgeline::evaluation
