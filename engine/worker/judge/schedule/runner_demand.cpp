#include "engine/worker/judge/schedule/runner_demand.hpp"

#include <algorithm>

namespace ridgeline::judge {
namespace {

// Opening a device takes as long as a verdict: one runner is in use while the next opens it.
constexpr std::size_t kAheadOfDevice = 2;
// An import of torch takes ten times as long, and an answer takes two interpreters, its own and its
// reference's. Wrong answers follow one another in less than an import takes, which is why more are kept
// where there are cores to import on.
constexpr std::size_t kFewestInterpreters = 4, kMostInterpreters = 8;

}  // namespace

RunnerDemand::RunnerDemand(const RunnerMeans& means) {
  at(RunnerKind::library) = {.startable = true, .in_demand = true};
  at(RunnerKind::python).startable = means.python;
  at(RunnerKind::counting).startable = means.counts;
  at(RunnerKind::python_counting).startable = means.counts && means.python;
  if (!means.opens_device)
    return;  // a start takes milliseconds there, and an import is all that is waited for
  for (const auto kind : {RunnerKind::library, RunnerKind::counting, RunnerKind::python_counting})
    at(kind).ahead = kAheadOfDevice;
  if (means.python)
    at(RunnerKind::python).ahead =
        std::clamp<std::size_t>(means.cores / 2, kFewestInterpreters, kMostInterpreters);
}

void RunnerDemand::taken(RunnerKind kind) {
  const auto counting = counting_kind(kind);
  if (kind != counting)
    for (auto& other : kinds_)
      if (&other != &at(kind) && &other != &at(counting)) other.in_demand = false;
  at(kind).in_demand = true;
}

StartRunners RunnerDemand::expect(RunnerKind kind, std::size_t count) {
  // A kind that this machine cannot start must not stay in demand: every idle moment would fail anew.
  if (at(kind).startable) at(kind).in_demand = true;
  return start(kind, count);
}

StartRunners RunnerDemand::start(RunnerKind kind, std::size_t count) const {
  return {.kind = kind, .keep = std::max(at(kind).ahead, count), .open = count};
}

std::vector<StartRunners> RunnerDemand::start_ahead() const {
  std::vector<StartRunners> starts;
  for (const auto kind :
       {RunnerKind::library, RunnerKind::python, RunnerKind::counting, RunnerKind::python_counting})
    if (at(kind).in_demand) starts.push_back(start(kind));
  return starts;
}

}  // namespace ridgeline::judge
