#include "engine/core/counter_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "engine/core/counters.hpp"

namespace ridgeline {
namespace {

// An instrumented pass is slower than the timed call, and its kernels start one by one. The bounds are wide:
// they catch what is impossible, and no honest kernel.
constexpr double kShortest = 0.5;        // times the judge's time, minus kLaunch
constexpr double kLaunch = 3e-6;         // seconds that a launch takes
constexpr double kLongest = 5;           // times the judge's time, plus kSlack
constexpr double kSlack = 50e-6;         // seconds
constexpr double kLeastTraffic = 0.8;    // of the bytes that no cache can hold back
constexpr double kOverBandwidth = 1.25;  // a copy reaches less than reads alone do
constexpr double kOverPeak = 2;          // the ceilings are those of products of matrices
constexpr double kWhole = 1.1;           // of a share
// A call lasts as long as its kernels, unless they run at once: then their spans add up to more.
constexpr double kLongestKernels = 1.1;  // times the judge's time, plus kKernelsSlack
constexpr double kKernelsSlack = 2e-6;   // seconds

constexpr std::string_view kShares[] = {counter::dram_share, counter::l2_share, counter::tensor_share,
                                        counter::issue_share, counter::achieved_occupancy};

}  // namespace

std::vector<std::string> doubts_about(std::span<const Counter> counters, const Ceilings& ceilings,
                                      double needed_bytes, double seconds) {
  std::vector<std::string> doubts;
  const auto time = find_counter(counters, counter::gpu_seconds);
  if (time && (*time < kShortest * seconds - kLaunch || *time > kLongest * seconds + kSlack))
    doubts.push_back(fmt::format("they count {:.1f} µs where the judge's clock saw {:.1f} µs", *time * 1e6,
                                 seconds * 1e6));

  if (const auto moved = dram_traffic(counters)) {
    // The cache may have held its whole size of the operands, so only the bytes beyond must have moved.
    const double least = kLeastTraffic * (needed_bytes - ceilings.cache_bytes);
    if (*moved < least)
      doubts.push_back(fmt::format("they count {:.0f} bytes of DRAM traffic where {:.0f} are needed", *moved,
                                   needed_bytes));
    if (time && *time > 0 && ceilings.bandwidth > 0 && *moved / *time > kOverBandwidth * ceilings.bandwidth)
      doubts.push_back(
          fmt::format("they count {:.2g} bytes a second of {:.2g}", *moved / *time, ceilings.bandwidth));
  }
  const auto done = operations_of(counters);
  const double peak = done ? peak_of_counter(ceilings, done->most) : 0;
  if (done && peak > 0 && time && *time > 0 && done->all / *time > kOverPeak * peak)
    doubts.push_back(fmt::format("they count {:.2g} operations a second of {:.2g}", done->all / *time, peak));

  // A warp waits for one reason at a time, so the shares of all stalls add up to 1 at most.
  double stalled = 0;
  for (const auto& [name, value, source] : counters) {
    if (name.starts_with(counter::stall_prefix)) stalled += value;
    if (value > kWhole && std::ranges::find(kShares, name) != std::end(kShares))
      doubts.push_back(fmt::format("{} is {:.2f} of 1", name, value));
  }
  if (stalled > kWhole) doubts.push_back(fmt::format("stalls add up to {:.2f} of the warps' time", stalled));
  return doubts;
}

std::string doubt_about_kernel_time(std::span<const Counter> counters, const Ceilings& ceilings,
                                    double needed_bytes, double seconds) {
  const auto time = find_counter(counters, counter::kernel_seconds);
  if (!time) return "";
  if (*time > kLongestKernels * seconds + kKernelsSlack)
    return fmt::format("its kernels' spans add up to {:.1f} µs where the judge's clock saw {:.1f} µs",
                       *time * 1e6, seconds * 1e6);
  // Copies and kernels that kernels launch are in no span: they may have moved the bytes.
  const double least = kLeastTraffic * (needed_bytes - ceilings.cache_bytes);
  if (ceilings.bandwidth > 0 && *time * kOverBandwidth * ceilings.bandwidth < least)
    return fmt::format("its kernels' spans add up to {:.1f} µs, in which {:.0f} bytes cannot be moved",
                       *time * 1e6, needed_bytes);
  return "";
}

}  // namespace ridgeline
