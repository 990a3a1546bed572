#include "engine/worker/judge/profile/kernel_time.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>
#include <vector>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {
namespace {

// No call that is counted takes less or more.
constexpr std::uint32_t kMostKernels = 100'000;
constexpr double kShortestSpans = 1e-9, kLongestSpans = 1e4;

/// Returns why nothing can be said after such a call; "" if something can.
std::string trouble_with(const SpannedCall& call, std::uint32_t launched, bool graphs) {
  if (call.kernels == 0) return "CUPTI timed no kernel of its call";
  if (call.kernels > kMostKernels) return fmt::format("more than {} kernels are not timed", kMostKernels);
  if (call.kernels < launched || (call.kernels > launched && !graphs))
    return fmt::format("CUPTI timed {} kernels of {} launches", call.kernels, launched);
  // A value that is no number is in no range.
  if (!(call.seconds >= kShortestSpans && call.seconds <= kLongestSpans))
    return "its kernels' spans add up to no possible time";
  return "";
}

}  // namespace

SpannedCall read_spans(const runner::CounterSheet& shared) {
  SpannedCall call;
  std::memcpy(&call.kernels, &shared.span_kernels, sizeof call.kernels);
  std::memcpy(&call.seconds, &shared.span_seconds, sizeof call.seconds);
  return call;
}

KernelTime kernel_time_of(std::span<const SpannedCall> calls, std::uint32_t launched, bool graphs) {
  if (calls.empty()) return {{}, "its kernels were not timed"};
  std::vector<double> seconds;
  for (const auto& call : calls) {
    if (call.kernels != calls.front().kernels)
      return {{}, fmt::format("one call ran {} kernels and another {}", calls.front().kernels, call.kernels)};
    if (auto trouble = trouble_with(call, launched, graphs); !trouble.empty())
      return {{}, std::move(trouble)};
    seconds.push_back(call.seconds);
  }
  return {median(std::move(seconds)), ""};
}

}  // namespace ridgeline::judge
