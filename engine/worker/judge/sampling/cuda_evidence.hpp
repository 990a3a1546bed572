// Turns batches of calls on a GPU into the time of one call. It works as batch_evidence.hpp does, except
// that the CPU's clocks say nothing about the work: a window ends when the runner says that the device has
// finished, and the contents of the slots, which the judge checks then, prove it.
//
// The runner's word is checked against the device. After each reply the judge asks the device for the least
// work, which waits while other work is in progress. An honest runner leaves the same wait after both batches
// of a pair. A runner that replies early leaves a longer wait after the longer batch, or, if the judge's
// work comes before its own is done, outputs that nobody has written yet. Replying early by the same time
// after both gains nothing, since slopes are free of it.
//
// The runner's own figure, from its device's events, is compared with the window that it is about. It may be
// a little less, for the way there and back; an honest figure is never far below. It cannot be compared with
// a slope: later calls pay for writes that earlier calls left in the L2, so an honest kernel's slope lies
// above its events by up to the time that writing back half the L2 takes.
#pragma once

#include "engine/worker/judge/sampling/batch_evidence.hpp"

namespace ridgeline::judge {

/// Both windows over all calls. CPU time outside them is not the device's and is not counted.
double quotient_on_device(const BatchPair& pair, const Overhead& overhead);
/// Returns the slope of a pair, seconds a call; nothing if its filling was interrupted, as `weigh_on_device`
/// leaves it out. CPU time says nothing here: a window holds a wake-up and readings of clocks.
std::optional<double> uninterrupted_slope(const BatchPair& pair);
/// The difference of both windows over that of their calls.
double slope_on_device(const BatchPair& pair);

/// Weighs the pairs of a caller on a GPU. Pairs whose filling was interrupted are left out; disputed if they
/// are a fifth of all, or all. Of the others: disputed if half of the windows or more are longer than the
/// runner says, by a fifth and 20 µs, not counting what either side waited for a core of a busy host (the
/// score does count that: nothing is gained by it); or if the device is still busy after the reply, by a
/// fifth of a call and 1 µs for each call. `full_clock` is the device's highest clock, Hz. Pairs below three
/// quarters of it are left out as long as three others remain (nvbench discards samples below the same
/// share); with 0, none is left out for its clock.
Evidence weigh_on_device(const std::vector<BatchPair>& pairs, const Overhead& overhead, double full_clock);

}  // namespace ridgeline::judge
