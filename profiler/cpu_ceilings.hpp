// Measures the ceilings of this machine's CPU: what one thread can move and compute at most.
//
// One thread, since candidates and baseline run on one (docs/decisions/cpu-single-thread.md). Each figure is
// the best of short repetitions, which other work on the machine lowers little. On a virtual machine,
// though, a neighbour may halve the memory bandwidth for whole seconds: once a ceiling was measured as 17
// GB/s where 60 were possible, and kernels reached 195 % of it. So the ceilings are measured again later,
// and the larger figures stay.
#pragma once

#include "engine/core/roofline.hpp"

namespace ridgeline::profiler {

/// Measures each level of memory by reads, writes and both, and the peaks; takes about 0.4 s. `bandwidth` is
/// the best of main memory. Peaks come from independent chains of multiply-add on the widest vectors of this
/// CPU: "fp32", "fp64", and "int8" (products of 8-bit numbers summed into 32 bits). A multiplication or an
/// addition is one operation.
Ceilings measure_cpu_ceilings();

/// Measures again for about 40 ms, and raises the figures that are higher now.
void remeasure(Ceilings& known);

/// Raises each figure of `known` to that of `measured` if that is larger. Both belong to one machine.
void raise_to(Ceilings& known, const Ceilings& measured);

/// Returns the bytes a second that no honest kernel of one thread can exceed, for the physics floor. A
/// core's rate to memory is limited by its outstanding misses, and the best of our passes is near that
/// limit, so twice that is an upper bound with room. A bound that is too high merely rejects fewer
/// impossible times.
double theoretical_bandwidth(const Ceilings& ceilings);

// Each measures one peak for about `seconds`, in operations a second.
double measure_fp32_peak(double seconds);
double measure_fp64_peak(double seconds);
double measure_int8_peak(double seconds);

}  // namespace ridgeline::profiler
