#include "engine/core/diagnosis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/core/counters.hpp"

namespace ridgeline {
namespace {

constexpr std::size_t kMostCauses = 3;
constexpr double kNearRoof = 0.75;    // of a ceiling measured by the best kernels there are
constexpr double kMuchTraffic = 1.5;  // times the compulsory bytes; caches and padding explain less
constexpr double kLittleTraffic = 1.2;
constexpr double kCacheOfOthers = 0.5;  // of the L2: what counts as the call's and may have lain there before
constexpr double kFewStores = 0.1;      // of the traffic of the L2, below which their shape does not matter
constexpr double kSector = 32;          // bytes that the memory moves at least
constexpr double kScatteredSector = 16;   // bytes used of one, below which neighbours do not read neighbours
constexpr double kLongStall = 0.25;       // of the warps' time
constexpr double kLowOccupancy = 0.5;     // below, latency is hard to hide; above, it seldom is the cause
constexpr double kUnevenOccupancy = 0.6;  // achieved over possible
constexpr double kIdleMultiprocessors = 0.7;  // share of the call's cycles
constexpr double kMostlyGaps = 0.6;           // share of the call in which some kernel runs
constexpr double kShortCall = 5e-6;           // seconds; a launch takes two or three microseconds
constexpr double kConflicts = 0.25;           // of shared memory's wavefronts
constexpr double kNearlyAll = 0.98;
constexpr double kStrayDoubles = 0.02;  // of all operations, where no operand is double
constexpr double kTensorIntensity =
    60;  // operations a compulsory byte: a product of matrices, no pointwise work
constexpr double kIdleTensor = 0.3;

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

class Causes {
 public:
  Causes(const Roofline& at, const Ceilings& ceilings, DType dtype, std::span<const KernelLaunch> launches)
      : at_(at), ceilings_(ceilings), dtype_(dtype), launches_(launches) {}

  std::vector<std::string> find() {
    idle_tensor_pipe();
    gaps();
    traffic();
    slow_tensor_pipe();
    room_for_warps();
    idle_multiprocessors();
    stalls();
    bank_conflicts();
    stray_doubles();
    if (found_.size() > kMostCauses) found_.resize(kMostCauses);
    return std::move(found_);
  }

 private:
  double value(std::string_view name, double otherwise = 0) const {
    return find_counter(at_.counters, name).value_or(otherwise);
  }
  void say(std::string text) { found_.push_back(std::move(text)); }

  /// The launch that takes most of the time; null where launches were not told apart.
  const KernelLaunch* main_launch() const {
    const auto longest = std::max_element(launches_.begin(), launches_.end(),
                                          [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    return longest == launches_.end() ? nullptr : &*longest;
  }

  void gaps() {
    double running = 0;
    for (const auto& launch : launches_) running += launch.seconds;
    if (launches_.size() > 1 && running > 0 && running < kMostlyGaps * at_.seconds)
      say(fmt::format("its {} kernels run for {} of {}, the rest is launches and gaps: fuse them",
                      launches_.size(), microseconds(running), microseconds(at_.seconds)));
    else if (launches_.size() > 1 && running > 0)
      say(fmt::format("`{}` takes {} of the time of its {} kernels", main_launch()->kernel,
                      percent(main_launch()->seconds / running), launches_.size()));
    else if (launches_.size() == 1 && at_.bound == Bound::latency && at_.seconds < kShortCall)
      say("the call is about as short as a launch itself");
  }

  void traffic() {
    const double needed = value(counter::needed_bytes);
    if (needed <= 0 || at_.bytes_source != Source::cupti) return;
    const double times = at_.bytes / needed;
    const double used = value(counter::load_bytes_per_sector, kSector);
    const double stored = value(counter::store_bytes_per_sector, kSector);
    const bool much = times >= kMuchTraffic && at_.bytes - needed > kCacheOfOthers * ceilings_.cache_bytes;
    const bool scattered = used > 0 && used < kScatteredSector;
    const bool scattering = stored > 0 && stored < kScatteredSector && stores_matter();
    if (!much && !scattered && !scattering) return;
    std::string text;
    if (much) text = fmt::format("DRAM traffic is {:.1f}x the compulsory bytes", times);
    if (scattered || scattering)
      text += fmt::format("{}{} are not coalesced ({:.0f} of each {:.0f}-byte sector used)",
                          text.empty() ? "" : ": ", scattered ? "reads" : "writes", scattered ? used : stored,
                          kSector);
    else
      text +=
          ": data is fetched again that shared memory or registers could keep, or intermediate results are "
          "stored";
    say(text);
  }

  bool stores_matter() const {
    const auto stores = find_counter(at_.counters, counter::l2_write_bytes);
    return !stores || *stores >= kFewStores * value(counter::l2_bytes);
  }

  bool half_product() const {
    const double needed = value(counter::needed_bytes);
    return (dtype_ == DType::float16 || dtype_ == DType::bfloat16) && needed > 0 &&
           value(counter::needed_operations) / needed >= kTensorIntensity;
  }

  /// First of all: nothing else is worth as much.
  void idle_tensor_pipe() {
    if (half_product() && find_counter(at_.counters, counter::tensor_instructions) == 0.0)
      say(fmt::format("the tensor pipe is idle though the operands are {}: use mma or wmma",
                      to_string(dtype_)));
  }

  void slow_tensor_pipe() {
    const bool used = value(counter::tensor_instructions) > 0;
    if (half_product() && used && value(counter::tensor_share) < kIdleTensor)
      say(fmt::format("the tensor pipe is busy in {} of the cycles only",
                      percent(value(counter::tensor_share))));
  }

  void room_for_warps() {
    const auto* launch = main_launch();
    if (!launch || launch->theoretical_occupancy <= 0) return;
    const double possible = launch->theoretical_occupancy, achieved = launch->achieved_occupancy;
    const bool fed = at_.efficiency >= kNearRoof || value(counter::tensor_share) > kIdleTensor;
    if (possible < kLowOccupancy && !fed && launch->limit == OccupancyLimit::registers)
      say(fmt::format("only {} of a multiprocessor's warps fit, limited by registers ({} a thread)",
                      percent(possible), launch->registers));
    else if (possible < kLowOccupancy && !fed && launch->limit == OccupancyLimit::shared_memory)
      say(fmt::format("only {} of a multiprocessor's warps fit, limited by shared memory ({} KiB a block)",
                      percent(possible), (launch->shared + 1023) / 1024));
    else if (possible < kLowOccupancy && !fed)
      say(fmt::format("only {} of a multiprocessor's warps fit, with {} threads a block", percent(possible),
                      launch->threads_a_block()));
    else if (achieved > 0 && achieved < kUnevenOccupancy * possible && at_.efficiency < kNearRoof &&
             launch->blocks() >= ceilings_.threads)
      say(fmt::format("occupancy achieved is {} of {} possible: too few blocks, or uneven ones",
                      percent(achieved), percent(possible)));
  }

  void idle_multiprocessors() {
    if (at_.efficiency >= kNearRoof) return;
    const auto* launch = main_launch();
    const auto active = find_counter(at_.counters, counter::sm_active_share);
    if (launch && launch->blocks() > 0 && launch->blocks() < ceilings_.threads)
      say(fmt::format("{} blocks leave most of the {} multiprocessors idle", launch->blocks(),
                      ceilings_.threads));
    else if (active && *active > 0 && *active < kIdleMultiprocessors)
      say(fmt::format("multiprocessors have work in {} of the call's cycles only", percent(*active)));
  }

  void stalls() {
    const auto longest = longest_stall(at_.counters);
    if (!longest || longest->value < kLongStall) return;
    for (const auto& words : kStallWords)
      if (words.counter == longest->name)
        say(fmt::format("{} {} of their time)", words.waiting, percent(longest->value)));
  }

  void bank_conflicts() {
    const double share = value(counter::bank_conflict_share);
    if (share >= kConflicts)
      say(fmt::format("{} of shared memory's accesses are repeated for bank conflicts: pad or swizzle",
                      percent(share)));
  }

  void stray_doubles() {
    const double doubles = value(counter::fp64_operations);
    if (dtype_ == DType::float64 || dtype_ == DType::complex128 || doubles <= 0) return;
    if (at_.operations_source != Source::cupti || doubles <= kStrayDoubles * at_.operations) return;
    if (doubles > kNearlyAll * at_.operations)
      say("all arithmetic is in double precision");  // as of sums that somebody wants exact
    else
      say(fmt::format("{} of the arithmetic is in double precision: write constants with an f",
                      percent(doubles / at_.operations)));
  }

  const Roofline& at_;
  const Ceilings& ceilings_;
  DType dtype_;
  std::span<const KernelLaunch> launches_;
  std::vector<std::string> found_;
};

std::string head(const Roofline& at) {
  const double times = at.roof_seconds > 0 ? at.seconds / at.roof_seconds : 0;
  const auto shares = fmt::format("{} of memory bandwidth, {} of peak operations",
                                  percent(at.bandwidth_share), percent(at.compute_share));
  const auto far = times > 0 ? fmt::format(" at {:.1f}x the roofline's least time", times) : std::string();
  switch (at.bound) {
    case Bound::memory:
      return fmt::format("Memory-bound{} ({})", far, shares);
    case Bound::compute:
      return fmt::format("Compute-bound{} ({})", far, shares);
    case Bound::latency:
      return fmt::format("Neither roof explains the time: {:.1f}x the least ({})", times, shares);
  }
  return {};
}

/// Near a roof, with nothing moved twice, the causes of what little waiting there is would mislead.
std::string at_the_roof(const Roofline& at) {
  const double needed = find_counter(at.counters, counter::needed_bytes).value_or(0);
  if (at.efficiency < kNearRoof) return {};
  if (at.bound == Bound::memory && needed > 0 && at.bytes < kLittleTraffic * needed)
    return "close to the roof: each operand moves about once, so only moving less would help";
  if (at.bound == Bound::compute)
    return "close to the roof: only computing less, or in a faster unit, would help";
  return {};
}

/// The time did not do for all that the task's definition counts, so that is no bound.
std::string beyond_the_roof(const Roofline& at, double counted) {
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

std::string diagnose_analytic(const Roofline& at, double counted) {
  if (counted < 1) return beyond_the_roof(at, counted);
  const auto times = at.roof_seconds > 0 ? at.seconds / at.roof_seconds : 0;
  const auto shares = fmt::format("{} of memory bandwidth and {} of peak operations",
                                  percent(at.bandwidth_share), percent(at.compute_share));
  switch (at.bound) {
    case Bound::memory:
      return fmt::format("Memory-bound at {:.1f}x the roofline's least time: {} ({:.2f} operations a byte).",
                         times, shares, at.intensity);
    case Bound::compute:
      return fmt::format("Compute-bound at {:.1f}x the roofline's least time: {} ({:.1f} operations a byte).",
                         times, shares, at.intensity);
    case Bound::latency:
      return fmt::format(
          "Neither roof explains the time ({:.1f}x the least): only {}; look for scalar code, "
          "dependent chains, poor locality or call overhead.",
          times, shares);
  }
  return {};
}

std::string diagnose_hot(const CachePlace& place, double seconds) {
  return fmt::format("Hot, its operands in {}: {}, {} of that bandwidth.",
                     place.level == "memory" ? "memory" : "the " + place.level, microseconds(seconds),
                     percent(place.share));
}

std::string diagnose_counted(const Roofline& at, const Ceilings& ceilings, DType dtype,
                             std::span<const KernelLaunch> launches) {
  if (const auto near = at_the_roof(at); !near.empty()) return head(at) + ", " + near + ".";
  const auto causes = Causes(at, ceilings, dtype, launches).find();
  if (causes.empty()) return head(at) + ".";
  return fmt::format("{}: {}.", head(at), fmt::join(causes, "; "));
}

}  // namespace ridgeline
