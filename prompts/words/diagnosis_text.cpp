#include "prompts/words/diagnosis_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/core/counters.hpp"

namespace ridgeline::words {
namespace {

std::string percent(double share) {
  return fmt::format("{:.0f} %", share * 100);
}

std::string microseconds(double seconds) {
  return fmt::format("{:.1f} µs", seconds * 1e6);
}

/// `waiting` ends with the profiler's name of the stall, which models know from its manual; the share follows
/// in the same parentheses.
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

/// One overload a cause: a new cause does not compile before it has words.
struct Words {
  std::string operator()(const cause::IdleTensorPipe& found) const {
    return fmt::format("the tensor pipe is idle though the operands are {}: use mma or wmma",
                       to_string(found.operands));
  }
  std::string operator()(const cause::SlowTensorPipe& found) const {
    return fmt::format("the tensor pipe is busy in {} of the cycles only", percent(found.busy));
  }
  std::string operator()(const cause::LaunchGaps& found) const {
    return fmt::format("its {} kernels run for {} of {}, the rest is launches and gaps: fuse them",
                       found.kernels, microseconds(found.running), microseconds(found.call));
  }
  std::string operator()(const cause::ManyLaunches& found) const {
    return fmt::format("it launches {} kernels in {}: fuse them", found.kernels, microseconds(found.call));
  }
  std::string operator()(const cause::LongestKernel& found) const {
    return fmt::format("`{}` takes {} of the time of its {} kernels", found.kernel, percent(found.share),
                       found.kernels);
  }
  std::string operator()(const cause::ShortCall&) const {
    return "the call is about as short as a launch itself";
  }
  std::string operator()(const cause::Traffic& found) const {
    using Scattered = cause::Traffic::Scattered;
    std::string text;
    if (found.times) text = fmt::format("DRAM traffic is {:.1f}x the compulsory bytes", *found.times);
    if (found.scattered == Scattered::none)
      return text +
             ": data is fetched again that shared memory or registers could keep, or intermediate results "
             "are "
             "stored";
    return text + fmt::format("{}{} are not coalesced ({:.0f} of each {:.0f}-byte sector used)",
                              text.empty() ? "" : ": ",
                              found.scattered == Scattered::reads ? "reads" : "writes", found.used,
                              found.sector);
  }
  std::string operator()(const cause::FewWarps& found) const {
    const auto fit = fmt::format("only {} of a multiprocessor's warps fit, ", percent(found.possible));
    switch (found.limit) {
      case OccupancyLimit::registers:
        return fit + fmt::format("limited by registers ({} a thread)", found.registers);
      case OccupancyLimit::shared_memory:
        return fit + fmt::format("limited by shared memory ({} KiB a block)", (found.shared + 1023) / 1024);
      case OccupancyLimit::warps:
      case OccupancyLimit::blocks:
        break;
    }
    return fit + fmt::format("with {} threads a block", found.block);
  }
  std::string operator()(const cause::UnevenOccupancy& found) const {
    return fmt::format("occupancy achieved is {} of {} possible: too few blocks, or uneven ones",
                       percent(found.achieved), percent(found.possible));
  }
  std::string operator()(const cause::FewBlocks& found) const {
    return fmt::format("{} blocks leave most of the {} multiprocessors idle", found.blocks,
                       found.multiprocessors);
  }
  std::string operator()(const cause::IdleMultiprocessors& found) const {
    return fmt::format("multiprocessors have work in {} of the call's cycles only", percent(found.active));
  }
  std::string operator()(const cause::Stall& found) const {
    for (const auto& words : kStallWords)
      if (words.counter == found.counter)
        return fmt::format("{} {} of their time)", words.waiting, percent(found.share));
    // The profiler may count a stall before anybody has described it here: its own name is better than
    // silence.
    std::string name = found.counter;
    if (name.starts_with(counter::stall_prefix)) name.erase(0, counter::stall_prefix.size());
    std::ranges::replace(name, '_', ' ');
    return fmt::format("warps wait ({} {} of their time)", name, percent(found.share));
  }
  std::string operator()(const cause::BankConflicts& found) const {
    return fmt::format("{} of shared memory's accesses are repeated for bank conflicts: pad or swizzle",
                       percent(found.share));
  }
  std::string operator()(const cause::StrayDoubles& found) const {
    if (found.share >= 1) return "all arithmetic is in double precision";
    return fmt::format("{} of the arithmetic is in double precision: write constants with an f",
                       percent(found.share));
  }
};

std::string head(const RoofDistance& at) {
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

/// The call was faster than its roof allows. The definition's count is then no bound: a product with zeros
/// skipped, or algebra that needs fewer operations.
std::string beyond_the_roof(const RoofDistance& at, double part_in_time) {
  if (at.bound == Bound::compute)
    return fmt::format(
        "Compute-bound, at the roof: it takes no longer than the peak needs for {} of the operations that "
        "the "
        "definition counts, so it does fewer of them.",
        percent(part_in_time));
  return fmt::format(
      "Memory-bound, at the roof: it takes no longer than memory needs for {} of the bytes that the "
      "definition counts, so it moves fewer of them.",
      percent(part_in_time));
}

}  // namespace

std::string cause_text(const Cause& cause) {
  return std::visit(Words{}, cause);
}

std::string diagnosis_text(const AnalyticDiagnosis& diagnosis) {
  const auto& at = diagnosis.distance;
  if (diagnosis.part_in_time < 1) return beyond_the_roof(at, diagnosis.part_in_time);
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

std::string diagnosis_text(const CountedDiagnosis& diagnosis) {
  const auto& [at, near, causes] = diagnosis;
  if (near != CountedDiagnosis::Near::no) return fmt::format("{}, {}.", head(at), near_words(near));
  if (causes.empty()) return head(at) + ".";
  std::vector<std::string> clauses;
  for (const auto& found : causes) clauses.push_back(cause_text(found));
  return fmt::format("{}: {}.", head(at), fmt::join(clauses, "; "));
}

std::string hot_text(const CachePlace& place, double seconds) {
  return fmt::format("Hot, its operands in {}: {}, {} of that bandwidth.",
                     place.level == "memory" ? "memory" : "the " + place.level, microseconds(seconds),
                     percent(place.share));
}

}  // namespace ridgeline::words
