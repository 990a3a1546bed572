// The way of a verdict from the judge to the engine.
#pragma once

#include "engine/core/verdict.hpp"

namespace ridgeline::fuzz {

/// Throws unless the verdict passes through a frame and is read again on the other side. One that does not,
/// as a verdict with an infinite number in it, costs more than itself: its judge or its worker ends.
void require_arrives(const Verdict& verdict);

}  // namespace ridgeline::fuzz
