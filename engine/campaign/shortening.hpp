// A prompt that is longer than the model takes is rendered again from less: what is furthest from the kernel
// at hand goes first.
#pragma once

#include "engine/core/effects.hpp"

namespace ridgeline::campaign {

/// Levels to try, one after another, beyond the whole prompt (level 0).
inline constexpr int kShortestLevel = 3;

/// `ask` with less in it. Level 1: no examples, half of every budget, half of the history and of the
/// ancestors; 2: a quarter of every budget, no history, no knowledge, one ancestor; 3: beside the source an
/// eighth of every budget. The source that is to be changed, and the task, are never cut.
Ask shortened(Ask ask, int level);

}  // namespace ridgeline::campaign
