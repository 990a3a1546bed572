// The reward that a trainer gets beside the raw numbers, from which it can compute another.
#pragma once

#include <optional>
#include <string_view>

#include "engine/core/verdict.hpp"

namespace ridgeline {

inline constexpr std::string_view reward_formula =
    "0.3*correct + speedup (Kevin, arXiv 2507.11948), no speedup where the figures deserve doubt; null where "
    "the machine kept back the verdict or the time";

/// Returns Kevin's reward (arXiv 2507.11948) with two changes. A kernel that is wrong or was caught cheating
/// earns 0. A correct one with a suspicion against its figures earns 0.3 without its speed-up: a trainer
/// would otherwise learn to raise suspicions. nullopt where the machine failed: a 0 would teach that a good
/// kernel is bad.
inline std::optional<double> reward(const Verdict& verdict) {
  if (!verdict.scorable()) return std::nullopt;
  if (!verdict.correct() || verdict.cheated) return 0;
  return 0.3 + (verdict.suspicions().empty() ? verdict.speedup() : 0);
}

}  // namespace ridgeline
