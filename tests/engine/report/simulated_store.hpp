// Fills a store with a simulated campaign: a strategy's answers get faster round by round, each task has its
// own ease, and of every task a share of the answers is
// wrong, a third to nearly all. Five strategies of ten rounds.
#pragma once

#include "engine/store/store.hpp"

namespace ridgeline::report::samples {

struct SimulatedSize {
  int tasks = 87;
  int seeds = 23;
};

void simulate(const store::Store& store, SimulatedSize size);

}  // namespace ridgeline::report::samples
