// The private struct of Trajectory: a request on its way to its end. Included by trajectory*.cpp alone.
#pragma once

#include "engine/campaign/trajectory.hpp"

namespace ridgeline::campaign {

struct Trajectory::PendingEffect {
  enum class Stage {
    unstarted,         ///< or not admitted, because the campaign pauses
    waits_for_budget,  ///< waits until calls of other trajectories are settled
    reserving,         ///< its reservation is being committed before it is sent
    asking,            ///< the client has the call and will call back once
    committing,        ///< an answer or a verdict is being committed
    judging,           ///< the evaluator has the candidate, or it waits to be judged again
    ended              ///< a result or the cancellation is committed
  };

  Request request;
  Attempt attempt;
  Stage stage = Stage::unstarted;
  bool answer_recorded = false;  ///< `attempt.answer` is on record
  bool cancelled = false;
  std::string cancel_reason;  ///< as the strategy gave it

  // On the way to an answer.
  store::AskRecord record;
  std::vector<llm::Message> messages;
  int level = 0;  ///< how far the prompt was shortened (shortening.hpp)
  llm::LlmRequest request_sent;
  llm::Cost reserved_cost;        ///< worst case, reserved while the call is under way
  bool no_more_attempts = false;  ///< an attempt failed and another was not allowed
  std::string budget_refusal;     ///< why the trajectory's budget allows no further attempt; "" if it does

  // On the way to a verdict.
  store::EvaluationRecord evaluation;
  int tries = 0;                   ///< evaluations of the candidate in a row
  std::int64_t judged_before = 0;  ///< JudgeHealth::judged before the first of them

  const Candidate& candidate() const { return *attempt.answer.candidate; }
};

}  // namespace ridgeline::campaign
