// A prompt that is longer than the model takes is rendered again from less: what is furthest from the kernel
// at hand goes first.
#pragma once

#include "engine/core/effects.hpp"

namespace ridgeline::campaign {

/// The last level. Level 0 is the whole prompt; higher levels are tried one after another.
inline constexpr int kShortestLevel = 3;

/// Returns `ask` with less feedback in it:
/// - level 1: no examples, half of every token budget, half of the history and of the ancestors;
/// - level 2: a quarter of every token budget, no history, no knowledge, one ancestor;
/// - level 3: an eighth of every token budget.
/// Never cuts the source that is to be changed, nor the task.
Ask shortened(Ask ask, int level);

}  // namespace ridgeline::campaign
