#include "engine/worker/judge/timing/first_baselines.hpp"

#include <algorithm>
#include <vector>

#include "engine/worker/judge/timing/idle_baseline.hpp"
#include "engine/worker/judge/timing/timed_cases.hpp"

namespace ridgeline::judge {
namespace {

std::vector<PreparedCase*> without_baseline(PreparedTask& prepared, bool hidden_cases) {
  auto& backend = prepared.backend();
  if (prepared.task().module || backend.clocks().starts_disturb()) return {};
  auto cases = timed_cases(prepared, hidden_cases);
  std::erase_if(cases, [&](const PreparedCase* each) {
    return each->baseline().kept() || backend.memory().needs_streaming(prepared.task(), each->definition());
  });
  return cases;
}

}  // namespace

bool lacks_first_baselines(PreparedTask& prepared, bool hidden_cases) {
  return !without_baseline(prepared, hidden_cases).empty();
}

void measure_first_baselines(PreparedTask& prepared, bool hidden_cases, double cap_seconds) {
  const auto limits = prepared.backend().clocks().sampling(cap_seconds);
  for (auto* each : without_baseline(prepared, hidden_cases)) {
    make_timing_arena(prepared, *each);
    // With no candidate there is none to pause. Which side a busy host slows matters for later checks only.
    measure_idle_baseline(prepared, *each, /*candidate=*/-1, limits, /*check=*/false,
                          BusyHostSlows::baseline_alone);
  }
}

}  // namespace ridgeline::judge
