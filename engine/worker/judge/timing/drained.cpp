#include "engine/worker/judge/timing/drained.hpp"

#include <algorithm>

#include "engine/worker/judge/tasks/backend.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kAtOnce = 0.5e-3;  // seconds within which a device that nobody uses answers
constexpr double kDrained = 1;      // seconds

}  // namespace

bool drained(Backend& backend) {
  const double begin = profiler::wall_seconds();
  while (backend.settle() > kAtOnce)
    if (profiler::wall_seconds() - begin > kDrained) return false;
  return true;
}

bool idle(Backend& backend) {
  // Twice: the judge's own thread may have waited for its core.
  return std::min(backend.settle(), backend.settle()) <= kAtOnce;
}

}  // namespace ridgeline::judge
