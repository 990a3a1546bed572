// Diagnoses why a call takes longer than its roofline: the kind of each cause and the figures that show it.
// Pure functions of a placed roofline and its counters; prompts/words/diagnosis_text.hpp has the sentences.
//
// A threshold is a judgement, not a law. Each stands in diagnosis.cpp with its reason, and verdicts keep the
// figures beside the sentence, so that a reader can disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline {

// Causes that counters show. Every share is a fraction of 1.
namespace cause {
/// A product of half-precision matrices used no tensor instruction.
struct IdleTensorPipe {
  DType operands;
};
/// Such a product keeps the tensor pipe busy for a small share of the time.
struct SlowTensorPipe {
  double busy;  ///< share of the cycles
};
/// The call's kernels run for a part of it only; the rest is launches and gaps.
struct LaunchGaps {
  std::size_t kernels;
  double running, call;  ///< seconds
};
/// Several kernels share the time, so the one to change is named.
struct LongestKernel {
  std::string kernel;
  double share;  ///< of the time of all `kernels`
  std::size_t kernels;
};
/// The call is about as short as a launch.
struct ShortCall {};
/// More bytes move than must, or few bytes of each sector are used.
struct Traffic {
  std::optional<double> times;  ///< moved bytes over compulsory bytes; empty where that is little
  enum class Scattered { none, reads, writes } scattered;
  double used, sector;  ///< bytes of each sector, where accesses are scattered
};
/// Few of a multiprocessor's warps fit at once, so latency is hard to hide.
struct FewWarps {
  double possible;  ///< share of the warps
  OccupancyLimit limit;
  int registers;        ///< a thread
  std::int64_t shared;  ///< bytes a block
  std::int64_t block;   ///< threads
};
/// Fewer warps were active than fit: blocks are few, or end at different times.
struct UnevenOccupancy {
  double achieved, possible;  ///< shares of the warps
};
/// The launch has fewer blocks than the device has multiprocessors.
struct FewBlocks {
  std::int64_t blocks;
  int multiprocessors;
};
/// Multiprocessors have no warp for a good part of the call.
struct IdleMultiprocessors {
  double active;  ///< share of the call's cycles
};
/// The reason for which warps wait most.
struct Stall {
  std::string counter;  ///< a name that begins with counter::stall_prefix
  double share;         ///< of the warps' time
};
/// Accesses to shared memory are repeated because banks collide.
struct BankConflicts {
  double share;  ///< of shared memory's accesses
};
/// Arithmetic runs in double precision though no operand is double.
struct StrayDoubles {
  double share;  ///< of all operations; 1: all of them, which may be wanted
};
}  // namespace cause

using Cause =
    std::variant<cause::IdleTensorPipe, cause::SlowTensorPipe, cause::LaunchGaps, cause::LongestKernel,
                 cause::ShortCall, cause::Traffic, cause::FewWarps, cause::UnevenOccupancy, cause::FewBlocks,
                 cause::IdleMultiprocessors, cause::Stall, cause::BankConflicts, cause::StrayDoubles>;

/// How far a call is from its roof.
struct RoofDistance {
  Bound bound = Bound::latency;
  double times = 0;  ///< the call's time over the roofline's least time; 0 if there is none
  double bandwidth_share = 0, compute_share = 0;
  double intensity = 0;  ///< operations a byte
};

/// A diagnosis from the bytes and operations that the task's definition counts.
struct AnalyticDiagnosis {
  RoofDistance distance;
  double part_in_time = 1;  ///< see part_in_time in roofline.hpp; below 1 the call skipped some of the work
};

/// A diagnosis from a GPU's counters.
struct CountedDiagnosis {
  RoofDistance distance;
  /// Whether the call is so close to its roof that causes would mislead, and why nothing is left to gain.
  enum class Near { no, each_operand_once, computing } near = Near::no;
  std::vector<Cause> causes;  ///< at most three, the weightiest first; none near the roof
};

/// Takes the call as place_on_roofline placed it, with the same ceilings, dtype and work.
AnalyticDiagnosis diagnose_analytic(const Roofline& placed, const Ceilings& ceilings, DType dtype,
                                    const Work& work);

/// Takes the call as place_counted placed it, with its counters. `dtype` is that of the task's first input;
/// `launches` are the same call's kernels, or none where they were not counted one by one.
CountedDiagnosis diagnose_counted(const Roofline& placed, const Ceilings& ceilings, DType dtype,
                                  std::span<const KernelLaunch> launches);

}  // namespace ridgeline
