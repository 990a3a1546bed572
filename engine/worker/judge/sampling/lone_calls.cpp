#include "engine/worker/judge/sampling/lone_calls.hpp"

#include <algorithm>
#include <cstddef>

namespace ridgeline::judge {
namespace {

constexpr double kHelpedShare = 1.1;
constexpr std::size_t kWindows = 5;
constexpr std::size_t kLongWindows = 2;

}  // namespace

bool helped_by_others(double in_batch, double alone) {
  return alone - lone_call_allowance > kHelpedShare * in_batch;
}

double LoneCalls::least() const {
  return seconds.empty() ? 0 : *std::ranges::min_element(seconds);
}

LoneCalls sample_lone_calls(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits,
                            const Overhead& overhead) {
  LoneCalls lone;
  std::size_t wanted = kWindows;
  while (lone.seconds.size() < wanted) {
    if (!keeper.prepare(1, /*cold=*/true)) {
      lone.end = SamplingEnd::caller_over;
      return lone;
    }
    const auto window = caller.call(0, 1);
    if (!window) {
      lone.end = SamplingEnd::caller_over;
      return lone;
    }
    if (!keeper.inspect(0, 1)) {
      lone.end = SamplingEnd::slot_wrong;
      return lone;
    }
    lone.seconds.push_back(window->wall - overhead.wall);
    if (window->wall > limits.elapsed_seconds) wanted = kLongWindows;
  }
  return lone;
}

}  // namespace ridgeline::judge
