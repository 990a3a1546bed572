// The private struct of Trajectory: a request on its way to its end. Included by trajectory*.cpp alone.
#pragma once

#include "engine/campaign/trajectory.hpp"

namespace ridgeline::campaign {

struct Trajectory::PendingEffect {
  enum class Stage {
    unstarted,         ///< or not admitted: the campaign pauses
    waits_for_budget,  ///< until calls of others are settled
    reserving,         ///< it is put on record before it is sent
    asking,            ///< the client has it, and will call back once
    committing,        ///< of an answer or a verdict
    judging,           ///< the evaluator has it, or it waits to be judged again
    ended              ///< a result, or that it was given up, is on record
  };

  Request request;
  Attempt attempt;
  Stage stage = Stage::unstarted;
  bool answered = false;  ///< `attempt.answer` is on record
  bool given_up = false;
  std::string reason;  ///< of that

  // On the way to an answer.
  store::AskRecord record;
  std::vector<llm::Message> messages;
  int level = 0;  ///< of shortening.hpp
  llm::LlmRequest sent;
  llm::Cost worst;                ///< reserved while it is under way
  bool no_more_attempts = false;  ///< an attempt failed and another was not allowed
  std::string refused;  ///< why the trajectory's budget allows no further attempt; empty where it does

  // On the way to a verdict.
  store::EvaluationRecord evaluation;
  int tries = 0;
  std::int64_t judged_before = 0;  ///< JudgeHealth::judged when it was first tried

  const Candidate& candidate() const { return *attempt.answer.candidate; }
};

}  // namespace ridgeline::campaign
