#include "profiler/energy.hpp"

#include <algorithm>
#include <iterator>

namespace ridgeline::profiler {
namespace {

bool moved(const std::vector<EnergyLook>& looks, std::size_t at) {
  return at > 0 && looks[at].joules != looks[at - 1].joules;
}

}  // namespace

void count_calls(std::vector<EnergyLook>& looks, const std::vector<CallsDone>& done) {
  if (done.empty()) return;
  for (auto& look : looks) {
    const auto next = std::lower_bound(done.begin(), done.end(), look.seconds,
                                       [](const CallsDone& one, double at) { return one.seconds < at; });
    if (next == done.begin() || next == done.end()) {
      look.calls = next == done.begin() ? next->calls : done.back().calls;
      continue;
    }
    const auto& before = *std::prev(next);
    const double share = (look.seconds - before.seconds) / (next->seconds - before.seconds);
    look.calls = before.calls + share * (next->calls - before.calls);
  }
}

int steps_of(const std::vector<EnergyLook>& looks) {
  int steps = 0;
  for (std::size_t i = 1; i < looks.size(); ++i) steps += moved(looks, i);
  return steps;
}

std::optional<EnergyUse> energy_use(const std::vector<EnergyLook>& looks, int least_steps) {
  const EnergyLook *first = nullptr, *last = nullptr;
  for (std::size_t i = 1; i < looks.size(); ++i) {
    if (!moved(looks, i)) continue;
    if (!first) first = &looks[i];
    last = &looks[i];
  }
  const int steps = steps_of(looks) - 1;
  if (steps < least_steps || last->seconds <= first->seconds) return std::nullopt;
  EnergyUse use;
  use.steps = steps;
  const double joules = last->joules - first->joules, calls = last->calls - first->calls;
  use.watts = joules / (last->seconds - first->seconds);
  if (calls > 0) use.joules_a_call = joules / calls;
  return use;
}

}  // namespace ridgeline::profiler
