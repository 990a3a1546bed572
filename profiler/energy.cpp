#include "profiler/energy.hpp"

#include <algorithm>
#include <iterator>

namespace ridgeline::profiler {
namespace {

/// Whether the counter moved between the reading before `at` and `at`.
bool moved(const std::vector<EnergyReading>& readings, std::size_t at) {
  return at > 0 && readings[at].joules != readings[at - 1].joules;
}

}  // namespace

void count_calls(std::vector<EnergyReading>& readings, const std::vector<CallsDone>& done) {
  if (done.empty()) return;
  for (auto& reading : readings) {
    const auto next = std::lower_bound(done.begin(), done.end(), reading.seconds,
                                       [](const CallsDone& batch, double at) { return batch.seconds < at; });
    // Before the first and after the last batch nothing is called.
    if (next == done.begin() || next == done.end()) {
      reading.calls = next == done.begin() ? next->calls : done.back().calls;
      continue;
    }
    const auto& before = *std::prev(next);
    const double share = (reading.seconds - before.seconds) / (next->seconds - before.seconds);
    reading.calls = before.calls + share * (next->calls - before.calls);
  }
}

int steps_of(const std::vector<EnergyReading>& readings) {
  int steps = 0;
  for (std::size_t i = 1; i < readings.size(); ++i) steps += moved(readings, i);
  return steps;
}

std::optional<EnergyUse> energy_use(const std::vector<EnergyReading>& readings, int least_steps) {
  const EnergyReading *first = nullptr, *last = nullptr;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    if (!moved(readings, i)) continue;
    if (!first) first = &readings[i];
    last = &readings[i];
  }
  const int steps = steps_of(readings) - 1;
  if (steps < least_steps || last->seconds <= first->seconds) return std::nullopt;
  EnergyUse use;
  use.steps = steps;
  const double joules = last->joules - first->joules, calls = last->calls - first->calls;
  use.watts = joules / (last->seconds - first->seconds);
  if (calls > 0) use.joules_a_call = joules / calls;
  return use;
}

}  // namespace ridgeline::profiler
