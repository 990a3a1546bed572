// Diagnoses why a call of a kernel takes longer than its roof, which is the least time that memory and
// arithmetic allow: the kinds of its causes and the figures that show them. roofline.hpp places a call, that
// is, it compares the call's time with the roof; this file takes the placed call (a Roofline, whose
// `counters` hold what the hardware counted). Pure functions. prompts/words/diagnosis_text.hpp has the
// sentences.
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

// Causes that a GPU's counters show. Every share is a fraction of 1.
namespace cause {
/// The task looks like a product of half-precision matrices (the first input is float16 or bfloat16, with 60
/// operations a compulsory byte or more), and no tensor instruction was executed.
struct IdleTensorPipe {
  DType operands;  ///< dtype of the task's first input
};
/// It looks like such a product, and the tensor pipe is busy for little of the time.
struct SlowTensorPipe {
  double busy;  ///< share of the cycles in which the tensor pipe is busy
};
/// The call's kernels run for a part of its time only; the rest is launches and gaps. Found only where every
/// launch of the call was counted.
struct LaunchGaps {
  std::size_t kernels;  ///< how many kernels the call launches
  double running;       ///< seconds that its kernels run, summed: those that overlap count twice
  double call;          ///< seconds that the whole call takes
};
/// The call launches several kernels of which not all were counted one by one: a pass has room for
/// kMaxLaunches (counter_sheet.hpp), of all cases together. They are short: a launch takes 10 µs or less of
/// the call, on average.
struct ManyLaunches {
  std::size_t kernels;  ///< how many kernels the call launches
  double call;          ///< seconds that the whole call takes
};
/// The call launches several kernels; this one takes the longest, whatever its share of the time. Found only
/// where every launch of the call was counted, and not beside LaunchGaps.
struct LongestKernel {
  std::string kernel;   ///< its name; "" for a graph, whose kernels are counted together
  double share;         ///< its time over the time of all the call's kernels
  std::size_t kernels;  ///< how many kernels the call launches
};
/// The call launches a single kernel and takes less than 5 µs, little more than the launch itself; neither
/// memory nor arithmetic is its limit.
struct ShortCall {};
/// More bytes move than must, or few bytes of each 32-byte sector are used.
struct Traffic {
  /// Bytes moved to and from the memory over compulsory bytes (each input read once, each output written
  /// once). nullopt if the excess is too small to matter; `scattered` is not `none` then.
  std::optional<double> times;
  /// Which accesses of neighbouring threads do not lie in neighbouring memory: `reads` if both are scattered.
  enum class Scattered { none, reads, writes } scattered;
  double used;    ///< bytes used per sector by the scattered accesses, on average; no meaning with `none`
  double sector;  ///< bytes per sector, the least that the memory moves
};
/// Fewer than half of the warps that a multiprocessor can hold fit at once, so latency is hard to hide. The
/// figures are of the launch that takes the longest.
struct FewWarps {
  double possible;       ///< warps that fit at once over the most that a multiprocessor can hold
  OccupancyLimit limit;  ///< the resource that more warps would exceed
  int registers;         ///< registers per thread
  std::int64_t shared;   ///< bytes of shared memory per block
  std::int64_t block;    ///< threads per block
};
/// Far fewer warps were active than fit, though there are blocks for all multiprocessors: these end at
/// different times. Both are shares of the most warps that a multiprocessor can hold, in the longest launch.
struct UnevenOccupancy {
  double achieved;  ///< warps that were active, on average
  double possible;  ///< warps that fit at once
};
/// The launch that takes the longest has fewer blocks than the device has multiprocessors.
struct FewBlocks {
  std::int64_t blocks;
  int multiprocessors;
};
/// Multiprocessors have no warp for a good part of the call.
struct IdleMultiprocessors {
  double active;  ///< share of the call's cycles in which a multiprocessor has a warp, on average over all
};
/// The reason for which warps wait most.
struct Stall {
  std::string counter;  ///< name of the counter in counters.hpp; begins with counter::stall_prefix
  double share;         ///< share of the warps' time that they spend waiting for this reason
};
/// Accesses to shared memory are repeated because several threads address one bank.
struct BankConflicts {
  double share;  ///< repeated accesses over all accesses to shared memory
};
/// Arithmetic runs in double precision though the task's first input is not double.
struct StrayDoubles {
  /// Operations in double precision over all operations. 1 means all of them; that may be intended, for sums
  /// that have to be exact.
  double share;
};
}  // namespace cause

using Cause =
    std::variant<cause::IdleTensorPipe, cause::SlowTensorPipe, cause::LaunchGaps, cause::ManyLaunches,
                 cause::LongestKernel, cause::ShortCall, cause::Traffic, cause::FewWarps,
                 cause::UnevenOccupancy, cause::FewBlocks, cause::IdleMultiprocessors, cause::Stall,
                 cause::BankConflicts, cause::StrayDoubles>;

/// How far a call is from its roof. All fields but `times` are those of Roofline.
struct RoofDistance {
  Bound bound = Bound::latency;  ///< which limit the call is nearest to
  double times = 0;              ///< the call's time over the roof's least time; 0 if there is no least time
  double bandwidth_share = 0;    ///< bytes per second over the highest that was measured on the device
  double compute_share = 0;      ///< operations per second over the highest that was measured
  double intensity = 0;          ///< operations per byte
};

/// A diagnosis from the bytes and operations that follow from the task's definition.
struct AnalyticDiagnosis {
  RoofDistance distance;
  /// The part of the defined operations (if they are the bound) or bytes that the call's time sufficed for; 1
  /// if measuring errors explain the rest. Below 1 the call skipped some of the work.
  double part_in_time = 1;
};

/// A diagnosis from a GPU's counters.
struct CountedDiagnosis {
  RoofDistance distance;
  /// Whether the call is so close to its roof that causes would mislead, and what still could make it faster.
  enum class Near {
    no,                 ///< it is not close, or moves more bytes than it must: `causes` say why, if known
    each_operand_once,  ///< memory is the limit, and each operand moves about once: only moving less would
                        ///< help
    computing           ///< arithmetic is the limit: only fewer operations or a faster unit would help
  } near = Near::no;
  std::vector<Cause> causes;  ///< none to three, the most important first; empty unless `near` is no
};

/// Diagnoses a call without counters. `placed` is the result of place_on_roofline, called with the same
/// `ceilings` (the rates measured on the device), `dtype` and `work`.
AnalyticDiagnosis diagnose_analytic(const Roofline& placed, const Ceilings& ceilings, DType dtype,
                                    const Work& work);

/// Diagnoses a call by its counters. `placed` is the result of place_counted, called with the same
/// `ceilings`; its `counters` are read here. `dtype` is that of the task's first input. `launches` are the
/// kernels of the same call; empty if they were not counted one by one.
CountedDiagnosis diagnose_counted(const Roofline& placed, const Ceilings& ceilings, DType dtype,
                                  std::span<const KernelLaunch> launches);

}  // namespace ridgeline
