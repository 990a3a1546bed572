#include "engine/evaluation/no_verdict.hpp"

namespace ridgeline::evaluation {
namespace {

Verdict unavailable(const EvaluateRequest& request, Stage stage, Reason reason, const std::string& why) {
  Verdict verdict;
  verdict.task = request.task->hash;
  verdict.posed = posed_text(*request.task);
  verdict.candidate = request.candidate.hash;
  verdict.at(stage) = {Status::unavailable, reason, why, 0};
  return verdict;
}

}  // namespace

Verdict worker_lost_verdict(const EvaluateRequest& request, const std::string& why) {
  return unavailable(request, Stage::build, Reason::worker_lost, why);
}

Verdict failed_verdict(const EvaluateRequest& request, const protocol::Failed& failed) {
  switch (failed.kind) {
    case protocol::Failure::judge_failed:
      return unavailable(request, Stage::call, Reason::judge_failed, failed.message);
    case protocol::Failure::bad_request:
    case protocol::Failure::machine_cannot:
      break;
  }
  return unavailable(request, Stage::build, Reason::unsupported, failed.message);
}

}  // namespace ridgeline::evaluation
