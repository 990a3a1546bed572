// Where a kernel stands under its roof, as data: the kind of each finding and its figures. The words are
// diagnosis_words.hpp's.
//
// Every threshold is a judgement, not a law: it stands in diagnosis.cpp with its reason, and the figures
// themselves travel beside the sentence.
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

// Causes that counters name. Shares are of 1.
namespace cause {
struct IdleTensorPipe {
  DType operands;
};
struct SlowTensorPipe {
  double busy;  ///< share of the cycles
};
/// Its kernels run for a part of the call only; the rest is launches and gaps.
struct LaunchGaps {
  std::size_t kernels;
  double running, call;  ///< seconds
};
struct LongestKernel {
  std::string kernel;
  double share;
  std::size_t kernels;
};
struct ShortCall {};  ///< about as short as a launch
struct Traffic {
  std::optional<double> times;  ///< the compulsory bytes, where that is much
  enum class Scattered { none, reads, writes } scattered;
  double used, sector;  ///< bytes of each sector, where accesses are scattered
};
/// Few of a multiprocessor's warps fit.
struct FewWarps {
  double possible;
  OccupancyLimit limit;
  int registers;        ///< a thread
  std::int64_t shared;  ///< bytes a block
  std::int64_t block;   ///< threads
};
struct UnevenOccupancy {
  double achieved, possible;
};
struct FewBlocks {
  std::int64_t blocks;
  int multiprocessors;
};
struct IdleMultiprocessors {
  double active;  ///< share of the call's cycles
};
struct Stall {
  std::string counter;  ///< counter::stall_…
  double share;         ///< of the warps' time
};
struct BankConflicts {
  double share;  ///< of shared memory's accesses
};
/// Arithmetic in double precision where no operand is double; 1: all of it.
struct StrayDoubles {
  double share;
};
}  // namespace cause

using Cause =
    std::variant<cause::IdleTensorPipe, cause::SlowTensorPipe, cause::LaunchGaps, cause::LongestKernel,
                 cause::ShortCall, cause::Traffic, cause::FewWarps, cause::UnevenOccupancy, cause::FewBlocks,
                 cause::IdleMultiprocessors, cause::Stall, cause::BankConflicts, cause::StrayDoubles>;

/// How far a call is from its roof.
struct Standoff {
  Bound bound = Bound::latency;
  double times = 0;  ///< the roofline's least time; 0 if there is none
  double bandwidth_share = 0, compute_share = 0;
  double intensity = 0;  ///< operations a byte
};

/// From what the definition counts.
struct AnalyticDiagnosis {
  Standoff at;
  double counted = 1;  ///< the part of the counted bytes or operations that there was time for
};

/// From a GPU's counters.
struct CountedDiagnosis {
  Standoff at;
  enum class Near { no, each_operand_once, computing } near = Near::no;
  std::vector<Cause> causes;  ///< the two or three that weigh most, first first; none near the roof
};

/// `counted`: the part of the counted bytes or operations that there was time for; 1: all of them.
AnalyticDiagnosis diagnose_analytic(const Roofline& at, double counted);

/// `at` with its counters; `dtype` of the task's first input; `launches` of the same call, or none.
CountedDiagnosis diagnose_counted(const Roofline& at, const Ceilings& ceilings, DType dtype,
                                  std::span<const KernelLaunch> launches);

}  // namespace ridgeline
