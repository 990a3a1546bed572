#include "engine/compare/score.hpp"

#include <algorithm>

namespace ridgeline::compare {

Score score_of(const CandidateOutcome* outcome, CorrectnessRule rule) {
  if (outcome == nullptr || !outcome->judged) return {};
  const bool faithful = rule == CorrectnessRule::faithful;
  if (!(faithful ? outcome->faithful : outcome->correct)) return {};
  return {.solved = true, .speedup = faithful ? outcome->faithful_speedup : outcome->speedup};
}

void ScoreTally::add(std::string_view task, const Score& score, double weight) {
  ++added_;
  if (!score.solved) return;
  ++solved_;
  for (std::size_t i = 0; i < thresholds_.size(); ++i)
    if (score.faster_than(thresholds_[i])) fast_[i] += weight;
  if (score.timed()) kernels_.push_back({task, score.speedup});
}

std::array<double, 3> ScoreTally::kept_quartiles() const {
  std::vector<double> kept(static_cast<std::size_t>(std::max(1, added_)), 1.0);
  for (std::size_t i = 0; i < kernels_.size(); ++i) kept[i] = Score{true, kernels_[i].speedup}.kept();
  return {quantile(kept, 0.25), quantile(kept, 0.5), quantile(kept, 0.75)};
}

}  // namespace ridgeline::compare
