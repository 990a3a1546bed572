#include "engine/core/diagnosis_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "engine/core/counters.hpp"

namespace ridgeline {
namespace {

std::string percent(double share) {
  return fmt::format("{:.0f} %", share * 100);
}

std::string microseconds(double seconds) {
  return fmt::format("{:.1f} µs", seconds * 1e6);
}

struct StallWords {
  std::string_view counter, waiting;
};
constexpr StallWords kStallWords[] = {
    {counter::stall_long_scoreboard, "warps wait for global memory (long scoreboard"},
    {counter::stall_short_scoreboard, "warps wait for shared memory or special functions (short scoreboard"},
    {counter::stall_barrier, "warps wait for each other at barriers (barrier"},
    {counter::stall_wait, "each warp waits for its own last instruction (wait"},
    {counter::stall_math_pipe_throttle, "an arithmetic pipe is full (math pipe throttle"},
    {counter::stall_lg_throttle, "too many global or local loads and stores are queued (LG throttle"},
    {counter::stall_mio_throttle, "too many shared memory or special instructions are queued (MIO throttle"},
    {counter::stall_gmma, "warps wait for the tensor pipe (gmma"}};

/// One overload a cause: a new one does not compile before it has words.
struct Words {
  std::string operator()(const cause::IdleTensorPipe& one) const {
    return fmt::format("the tensor pipe is idle though the operands are {}: use mma or wmma",
                       to_string(one.operands));
  }
  std::string operator()(const cause::SlowTensorPipe& one) const {
    return fmt::format("the tensor pipe is busy in {} of the cycles only", percent(one.busy));
  }
  std::string operator()(const cause::LaunchGaps& one) const {
    return fmt::format("its {} kernels run for {} of {}, the rest is launches and gaps: fuse them",
                       one.kernels, microseconds(one.running), microseconds(one.call));
  }
  std::string operator()(const cause::LongestKernel& one) const {
    return fmt::format("`{}` takes {} of the time of its {} kernels", one.kernel, percent(one.share),
                       one.kernels);
  }
  std::string operator()(const cause::ShortCall&) const {
    return "the call is about as short as a launch itself";
  }
  std::string operator()(const cause::Traffic& one) const {
    using Scattered = cause::Traffic::Scattered;
    std::string text;
    if (one.times) text = fmt::format("DRAM traffic is {:.1f}x the compulsory bytes", *one.times);
    if (one.scattered == Scattered::none)
      return text +
             ": data is fetched again that shared memory or registers could keep, or intermediate results "
             "are "
             "stored";
    return text + fmt::format("{}{} are not coalesced ({:.0f} of each {:.0f}-byte sector used)",
                              text.empty() ? "" : ": ",
                              one.scattered == Scattered::reads ? "reads" : "writes", one.used, one.sector);
  }
  std::string operator()(const cause::FewWarps& one) const {
    const auto fit = fmt::format("only {} of a multiprocessor's warps fit, ", percent(one.possible));
    switch (one.limit) {
      case OccupancyLimit::registers:
        return fit + fmt::format("limited by registers ({} a thread)", one.registers);
      case OccupancyLimit::shared_memory:
        return fit + fmt::format("limited by shared memory ({} KiB a block)", (one.shared + 1023) / 1024);
      case OccupancyLimit::warps:
      case OccupancyLimit::blocks:
        break;
    }
    return fit + fmt::format("with {} threads a block", one.block);
  }
  std::string operator()(const cause::UnevenOccupancy& one) const {
    return fmt::format("occupancy achieved is {} of {} possible: too few blocks, or uneven ones",
                       percent(one.achieved), percent(one.possible));
  }
  std::string operator()(const cause::FewBlocks& one) const {
    return fmt::format("{} blocks leave most of the {} multiprocessors idle", one.blocks,
                       one.multiprocessors);
  }
  std::string operator()(const cause::IdleMultiprocessors& one) const {
    return fmt::format("multiprocessors have work in {} of the call's cycles only", percent(one.active));
  }
  std::string operator()(const cause::Stall& one) const {
    for (const auto& words : kStallWords)
      if (words.counter == one.counter)
        return fmt::format("{} {} of their time)", words.waiting, percent(one.share));
    return fmt::format("warps wait ({} {} of their time)", one.counter, percent(one.share));
  }
  std::string operator()(const cause::BankConflicts& one) const {
    return fmt::format("{} of shared memory's accesses are repeated for bank conflicts: pad or swizzle",
                       percent(one.share));
  }
  std::string operator()(const cause::StrayDoubles& one) const {
    if (one.share >= 1) return "all arithmetic is in double precision";
    return fmt::format("{} of the arithmetic is in double precision: write constants with an f",
                       percent(one.share));
  }
};

std::string head(const Standoff& at) {
  const auto shares = fmt::format("{} of memory bandwidth, {} of peak operations",
                                  percent(at.bandwidth_share), percent(at.compute_share));
  const auto far =
      at.times > 0 ? fmt::format(" at {:.1f}x the roofline's least time", at.times) : std::string();
  switch (at.bound) {
    case Bound::memory:
      return fmt::format("Memory-bound{} ({})", far, shares);
    case Bound::compute:
      return fmt::format("Compute-bound{} ({})", far, shares);
    case Bound::latency:
      return fmt::format("Neither roof explains the time: {:.1f}x the least ({})", at.times, shares);
  }
  return {};
}

std::string_view near_words(CountedDiagnosis::Near near) {
  switch (near) {
    case CountedDiagnosis::Near::no:
      return "";
    case CountedDiagnosis::Near::each_operand_once:
      return "close to the roof: each operand moves about once, so only moving less would help";
    case CountedDiagnosis::Near::computing:
      return "close to the roof: only computing less, or in a faster unit, would help";
  }
  return "";
}

/// The time did not do for all that the task's definition counts, so that is no bound.
std::string beyond_the_roof(const Standoff& at, double counted) {
  if (at.bound == Bound::compute)
    return fmt::format(
        "Compute-bound, at the roof: it takes no longer than the peak needs for {} of the operations that "
        "the "
        "definition counts, so it does fewer of them.",
        percent(counted));
  return fmt::format(
      "Memory-bound, at the roof: it takes no longer than memory needs for {} of the bytes that the "
      "definition counts, so it moves fewer of them.",
      percent(counted));
}

}  // namespace

std::string in_words(const Cause& cause) {
  return std::visit(Words{}, cause);
}

std::string in_words(const AnalyticDiagnosis& diagnosis) {
  const auto& at = diagnosis.at;
  if (diagnosis.counted < 1) return beyond_the_roof(at, diagnosis.counted);
  const auto shares = fmt::format("{} of memory bandwidth and {} of peak operations",
                                  percent(at.bandwidth_share), percent(at.compute_share));
  switch (at.bound) {
    case Bound::memory:
      return fmt::format("Memory-bound at {:.1f}x the roofline's least time: {} ({:.2f} operations a byte).",
                         at.times, shares, at.intensity);
    case Bound::compute:
      return fmt::format("Compute-bound at {:.1f}x the roofline's least time: {} ({:.1f} operations a byte).",
                         at.times, shares, at.intensity);
    case Bound::latency:
      return fmt::format(
          "Neither roof explains the time ({:.1f}x the least): only {}; look for scalar code, "
          "dependent chains, poor locality or call overhead.",
          at.times, shares);
  }
  return {};
}

std::string in_words(const CountedDiagnosis& diagnosis) {
  const auto& [at, near, causes] = diagnosis;
  if (near != CountedDiagnosis::Near::no) return fmt::format("{}, {}.", head(at), near_words(near));
  if (causes.empty()) return head(at) + ".";
  std::vector<std::string> clauses;
  for (const auto& one : causes) clauses.push_back(in_words(one));
  return fmt::format("{}: {}.", head(at), fmt::join(clauses, "; "));
}

std::string hot_in_words(const CachePlace& place, double seconds) {
  return fmt::format("Hot, its operands in {}: {}, {} of that bandwidth.",
                     place.level == "memory" ? "memory" : "the " + place.level, microseconds(seconds),
                     percent(place.share));
}

}  // namespace ridgeline
