#include "engine/worker/judge/timing/device_idle.hpp"

#include <algorithm>

#include "engine/worker/judge/tasks/telemetry.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kIdleResponse = 0.5e-3;  // seconds within which an unused device answers
constexpr double kMostWaiting = 1;        // seconds; a candidate's leftovers may never end

}  // namespace

bool wait_until_idle(Telemetry& telemetry) {
  const double begin = profiler::wall_seconds();
  while (telemetry.response_seconds() > kIdleResponse)
    if (profiler::wall_seconds() - begin > kMostWaiting) return false;
  return true;
}

bool is_idle(Telemetry& telemetry) {
  // The better of two: the judge's own thread may have waited for its core during one.
  return std::min(telemetry.response_seconds(), telemetry.response_seconds()) <= kIdleResponse;
}

}  // namespace ridgeline::judge
