// The reward that a trainer gets beside the raw numbers, so that it can compute another.
#pragma once

#include <optional>
#include <string_view>

#include "engine/core/verdict.hpp"

namespace ridgeline::evaluation {

inline constexpr std::string_view reward_formula =
    "0.3*correct + speedup (Kevin, arXiv 2507.11948), no speedup where the figures deserve doubt; null where "
    "the machine kept back the verdict or the time";

/// A kernel that is not correct, or that was caught cheating, earns nothing. A speed-up that a flag stands
/// beside earns nothing either, as it does not count in comparisons: a trainer would learn to bring it about.
/// nullopt where there is nothing to learn from: a 0 there would teach that a good kernel is a bad one.
inline std::optional<double> reward(const Verdict& verdict) {
  if (!verdict.scorable()) return std::nullopt;
  if (!verdict.correct() || verdict.cheated) return 0;
  return 0.3 + (verdict.suspicions().empty() ? verdict.speedup() : 0);
}

}  // namespace ridgeline::evaluation
