// The reward that a trainer gets beside the raw numbers, so that it can compute another.
#pragma once

#include <string_view>

#include "engine/core/verdict.hpp"

namespace ridgeline {

inline constexpr std::string_view reward_formula = "0.3*correct + speedup (Kevin, arXiv 2507.11948)";

/// A kernel that is not correct, or that was caught cheating, earns nothing.
inline double reward(const Verdict& verdict) {
  return verdict.correct() && !verdict.cheated ? 0.3 + verdict.speedup() : 0;
}

}  // namespace ridgeline
