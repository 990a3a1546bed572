#include "engine/compare/score.hpp"

namespace ridgeline::compare {

Score score_of(const CandidateOutcome* outcome, CorrectnessRule rule) {
  if (outcome == nullptr || !outcome->judged) return {};
  const bool faithful = rule == CorrectnessRule::faithful;
  if (!(faithful ? outcome->faithful : outcome->correct)) return {};
  return {.solved = true, .speedup = faithful ? outcome->faithful_speedup : outcome->speedup};
}

void ScoreTally::add(std::string_view task, const Score& score, double weight) {
  if (!score.solved) return;
  ++solved_;
  for (std::size_t i = 0; i < thresholds_.size(); ++i)
    if (score.faster_than(thresholds_[i])) fast_[i] += weight;
  if (score.timed()) kernels_.push_back({task, score.speedup});
}

}  // namespace ridgeline::compare
