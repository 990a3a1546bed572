// Places a call on the roofline (Williams, Waterman, Patterson, CACM 52(4), 2009): the least time that memory
// and arithmetic allow, and the share of it that the call reaches.
//
// Pure arithmetic. profiler/ measures ceilings and counters; diagnosis.hpp says why a call is far from its
// roof. Times are in seconds, sizes in bytes, rates a second; shares are fractions of 1.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/dtype.hpp"
#include "engine/core/names.hpp"

namespace ridgeline {

/// Says where a number comes from, since an analytic count and a counter are not the same kind of truth.
enum class Source {
  analytic,  ///< counted from the task's definition
  perf,      ///< read from Linux perf events
  cupti,     ///< read from a GPU's counters
  measured
};
constexpr auto enum_names(Source) {
  return std::to_array<Name<Source>>({{Source::analytic, "analytic"},
                                      {Source::perf, "perf"},
                                      {Source::cupti, "cupti"},
                                      {Source::measured, "measured"}});
}

/// The most operations a second that one arithmetic unit reached in a measurement.
struct Peak {
  std::string unit;  ///< "fp32", "fp64", "int8", later "bf16 tensor", …
  double operations_per_second = 0;
};

/// One level of a CPU's memory: the most bytes a second that one thread moves to and from it.
struct MemoryLevel {
  std::string name;    ///< "L1", "L2", "L3", "memory"
  double bytes = 0;    ///< that it holds; 0: more than any task has
  double read = 0;     ///< reads alone
  double written = 0;  ///< writes alone
  double both = 0;     ///< reads and writes together, counted as one sum
};

/// The limits of a device, measured on it and never read off a table.
struct Ceilings {
  std::string device;          ///< "AMD EPYC, 1 thread", "NVIDIA H200"
  int threads = 1;             ///< a CPU's: of the measurement; a GPU's: its multiprocessors
  double bandwidth = 0;        ///< bytes a second, main memory, read plus written
  double cache_bandwidth = 0;  ///< bytes a second, last-level cache; 0 if unknown
  double cache_bytes = 0;      ///< last-level cache
  std::vector<Peak> peaks;
  /// A CPU's levels, the nearest first and "memory" last. Memory is measured with cold caches, as candidates
  /// are timed; a cache with data that lies in it. Empty where levels were not measured one by one.
  std::vector<MemoryLevel> levels = {};

  /// Returns the peak that computing in `dtype` is compared with (integers of 8 bits: "int8", other integers:
  /// "fp32"; "fp32" too where the device has none of its own for the dtype).
  double peak_for(DType dtype) const;
  /// Returns the rate that nothing exceeds at the precision of `dtype`. For float32 that is more than its own
  /// peak: a product may be put together from two or more of half the bits, on a tensor pipe.
  double fastest_for(DType dtype) const;
  /// Returns operations a second; 0 where that unit was not measured.
  double peak_of(std::string_view unit) const;
};

/// One hardware counter or analytic stand-in for a whole call.
struct Counter {
  std::string name;  ///< "cycles", "instructions", "llc_misses", …; of a GPU those of counters.hpp
  double value = 0;
  Source source = Source::analytic;
};

/// Which limit a call is nearest to.
enum class Bound {
  memory,
  compute,
  latency  ///< neither: it uses less than a tenth of both
};
constexpr auto enum_names(Bound) {
  return std::to_array<Name<Bound>>(
      {{Bound::memory, "memory"}, {Bound::compute, "compute"}, {Bound::latency, "latency"}});
}

/// One timed case under its roof, as verdicts store it.
struct Roofline {
  std::string case_name;
  double bytes = 0;       ///< of one call, between the memory and the processor
  double operations = 0;  ///< of one call
  Source bytes_source = Source::analytic;
  Source operations_source = Source::analytic;
  double seconds = 0;           ///< the time that the figures are over: cold median
  double intensity = 0;         ///< operations a byte
  double roof_seconds = 0;      ///< the least time in which bytes can move and operations can be done
  double bandwidth_share = 0;   ///< IOU: achieved over peak bandwidth
  double compute_share = 0;     ///< MFU: achieved over peak operations
  double efficiency = 0;        ///< max(IOU, MFU), KernelBench-X's hardware efficiency
  double headroom_seconds = 0;  ///< seconds - roof_seconds, never below 0
  Bound bound = Bound::memory;  ///< which roof is nearer; latency when both shares are under 10 %
  std::vector<Counter> counters;
  std::string diagnosis;  ///< one sentence, written by whoever judged (prompts/words) and printed as stored
};

/// The work of one call, counted from the task's definition.
struct Work {
  double operations = 0;
  double bytes = 0;  ///< compulsory traffic: each input read once, each output written once
  // Bytes of the operands, by what a call does with them; all 0 where that is not known.
  double read = 0;
  double written = 0;
  double updated = 0;  ///< read, and written in place

  double operands() const { return read + written + updated; }
};

/// Bytes that a call moves.
struct Traffic {
  double read = 0;
  double written = 0;

  double sum() const { return read + written; }
};

/// Returns the part of a call's compulsory traffic that crosses between memory and caches, which are cold. An
/// operand that is updated in place comes once, and is written back after the call if the caches hold it. If
/// a call does not touch all of its operands (a gather), each counts for its part of `Work::bytes`.
Traffic cold_traffic(const Ceilings& ceilings, const Work& work);

/// Returns the least seconds for that traffic: reads alone, writes alone and their sum each have a ceiling.
double memory_seconds(const Ceilings& ceilings, const Traffic& traffic);

/// Places a call of `seconds` (the cold median) by analytic counts. `dtype` picks the compute peak. Zero
/// bytes or operations leave that share at 0. A call cannot be faster than its roof: if it takes less time
/// than its traffic or its operations need, it has not done all that the definition counts (part_in_time).
/// Its share is 1 then, and its least time is the time that it took. The case's name and the diagnosis are
/// left empty.
Roofline place_on_roofline(const Ceilings& ceilings, DType dtype, const Work& work, double seconds);
Roofline place_on_roofline(const Ceilings& ceilings, DType dtype, double bytes, double operations,
                           double seconds);

/// Returns the part of the bytes or operations (by the placed call's bound) that its time sufficed for, where
/// measuring errors cannot explain the difference; else 1.
double part_in_time(const Roofline& placed, const Ceilings& ceilings, DType dtype, const Work& work);

/// A hot time compared with the level of memory that its operands lie in.
struct CachePlace {
  std::string level;  ///< the nearest level that holds them all
  double share = 0;   ///< the least time that the levels allow, over the time taken; at most 1
};

/// Places a hot call. `resident` is the bytes that repeated hot calls go round over. The part of them that
/// nearer levels can hold counts as served from there, which no order of accesses exceeds. nullopt where
/// levels were not measured one by one.
std::optional<CachePlace> place_in_caches(const Ceilings& ceilings, const Work& work, double resident,
                                          double seconds);

/// Places a call by a GPU's counters (counters.hpp): bytes and operations, and with them the shares and the
/// bound, are what the hardware counted; the peak is that of the precision in which most was computed. The
/// least time stays that of `needed_bytes` and `needed_operations`, since a kernel does not come nearer to it
/// by moving more; both are added to the counters. What was not counted stays analytic.
Roofline place_counted(const Ceilings& ceilings, DType dtype, double needed_bytes, double needed_operations,
                       double seconds, std::vector<Counter> counters);

/// Returns the physics floor: the least seconds in which `bytes` beyond the cache can move at
/// `theoretical_bandwidth`. Operands that fit the cache give 0, since honest kernels may be served from it.
double physics_floor(const Ceilings& ceilings, double bytes, double theoretical_bandwidth);

}  // namespace ridgeline
