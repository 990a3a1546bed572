// Private structs of Trajectory: a batch under way, and the state of each of its slots. Included by
// trajectory*.cpp alone.
#pragma once

#include "engine/campaign/trajectory.hpp"

namespace ridgeline::campaign {

struct Trajectory::Pending {
  int step = 0;
  Batch batch;
  std::vector<Attempt> results;
  std::size_t open = 0;  ///< slots without a result
  Done done;
};

struct Trajectory::Call {
  PendingPtr batch;
  std::size_t slot = 0;
  store::AskRecord record;
  std::vector<llm::Message> messages;
  int level = 0;  ///< of shortening.hpp
  llm::LlmRequest request;
  llm::Cost worst;                ///< reserved while it is under way
  bool no_more_attempts = false;  ///< an attempt failed and another was not allowed
  std::string refused;            ///< by the trajectory's own budget, and so

  const Ask& ask() const { return batch->batch.asks[slot]; }
};

struct Trajectory::Judging {
  PendingPtr batch;
  std::size_t slot = 0;
  store::EvaluationRecord record;
  int tries = 0;
  std::int64_t judged_before = 0;  ///< JudgeHealth::judged when it was first tried

  const Candidate& candidate() const { return *batch->results[slot].answer.candidate; }
};

}  // namespace ridgeline::campaign
