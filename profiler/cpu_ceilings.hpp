// The roof of this machine's CPU, measured: what one thread can move and compute at most.
//
// One thread, since candidates and baseline run on one (docs/decisions/cpu-single-thread.md). Each figure is
// the best of short repetitions, so a busy machine lowers it little. About half a second in all; ask once,
// keep it.
#pragma once

#include "engine/core/roofline.hpp"

namespace ridgeline::profiler {

/// Bandwidth: a copy between buffers of three times the last-level cache (bounded, see .cpp), read plus
/// written. Peaks: independent chains of multiply-add on the widest vectors that this CPU has, "fp32",
/// "fp64", and "int8" (products of 8-bit numbers summed into 32 bits). An operation is a multiplication or an
/// addition.
Ceilings measure_cpu_ceilings();

/// Bytes a second that no honest kernel of one thread can exceed, for the physics floor. A core's rate to
/// memory is limited by its outstanding misses, and our copy reaches at least a third of that on every
/// machine tried (it pays for reads, for ownership of lines and for write-backs), so three times the measured
/// copy is an upper bound with room; a bound that is too high merely rejects fewer impossible figures.
double theoretical_bandwidth(const Ceilings& ceilings);

// The parts, each the best of its repetitions.
double measure_copy_bandwidth(std::size_t buffer_bytes,
                              double seconds);  ///< bytes a second, read plus written
double measure_read_bandwidth(std::size_t buffer_bytes, double seconds);  ///< bytes a second
double measure_fp32_peak(double seconds);                                 ///< operations a second
double measure_fp64_peak(double seconds);
double measure_int8_peak(double seconds);

}  // namespace ridgeline::profiler
