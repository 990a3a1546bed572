// The roof of this machine's CPU, measured: what one thread can move and compute at most.
//
// One thread, since candidates and baseline run on one (docs/decisions/cpu-single-thread.md). Each figure is
// the best of short repetitions, which a busy machine lowers little. On a virtual machine a neighbour may
// halve the memory's for whole seconds, though: a roof from such a moment lay at 17 GB/s where 60 can be had,
// and kernels stood at 195 % of it. So it is looked at again later, and the larger figures stay.
#pragma once

#include "engine/core/roofline.hpp"

namespace ridgeline::profiler {

/// Each level of memory by reads, writes and both; `bandwidth` is the best of the memory's. Peaks:
/// independent chains of multiply-add on the widest vectors that this CPU has, "fp32", "fp64", and "int8"
/// (products of 8-bit numbers summed into 32 bits). An operation is a multiplication or an addition. Some 0.4
/// s.
Ceilings measure_cpu_ceilings();

/// A look of some 40 ms: raises what is higher now.
void look_again(Ceilings& known);

/// The larger of each figure. Both are of one machine.
void raise(Ceilings& known, const Ceilings& seen);

/// Bytes a second that no honest kernel of one thread can exceed, for the physics floor. A core's rate to
/// memory is limited by its outstanding misses, and the best of our passes is near that limit: twice as much
/// is an upper bound with room. A bound that is too high merely rejects fewer impossible figures.
double theoretical_bandwidth(const Ceilings& ceilings);

// The parts, each the best of its repetitions: operations a second.
double measure_fp32_peak(double seconds);
double measure_fp64_peak(double seconds);
double measure_int8_peak(double seconds);

}  // namespace ridgeline::profiler
