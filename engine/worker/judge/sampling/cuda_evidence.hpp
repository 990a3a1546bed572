// From batches of calls on a GPU to the time of one call. As batch_evidence.hpp, but that the CPU's clocks
// say nothing of the work: a window ends when the runner says that the device has finished, and what the
// judge then finds in the slots proves it.
//
// That word of the runner's is held against the device: after each reply the judge asks it for the least
// thing, which waits while others' work is under way. An honest runner leaves the same wait after batches of
// K and of 2K; one that replies early leaves more after the longer, or, where the judge's turn comes before
// its work is done, outputs that nobody has written yet. Replying early by the same time after both gains
// nothing, since slopes are free of it.
//
// The runner's own figure, of its device's events, is held against the very windows that it is about: it may
// be a little less than the window, for the way there and back, and an honest one is never far below. A
// slope is no measure of it: calls after the first pay for writes that those before left in the L2, so the
// slope of an honest kernel lies above its events by up to the time that writing back half the L2 takes.
#pragma once

#include "engine/worker/judge/sampling/batch_evidence.hpp"

namespace ridgeline::judge {

/// Both windows over all calls. CPU time outside them is not the device's: it does not enter.
double quotient_on_device(const BatchPair& pair, const Overhead& overhead);
/// By the difference of both windows.
double slope_on_device(const BatchPair& pair);

/// Disputed where half of the windows and more are longer, by a fifth and 20 µs, than the runner says, but
/// for what either side waited for a core of a busy host (which the score does not leave out: nothing is
/// gained by it); or the device is busy, by a fifth of a call and 1 µs for each, once it has said that all is
/// done. `full_clock`: of the device at most, Hz. Pairs below three quarters of it are left out while three
/// others stay (nvbench discards samples below the same share); 0: none is.
Evidence weigh_on_device(const std::vector<BatchPair>& pairs, const Overhead& overhead, double full_clock);

}  // namespace ridgeline::judge
