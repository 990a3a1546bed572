// Tells the judge's schedule what happens, and performs what it asks for.
#include <algorithm>
#include <utility>
#include <variant>

#include "engine/core/error.hpp"
#include "engine/worker/judge/judge.hpp"
#include "engine/worker/judge/memory_shortage.hpp"
#include "engine/worker/judge/profile/device_profile.hpp"
#include "engine/worker/judge/request_facts.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {

void Judge::prepare(const protocol::Prepare& request) {
  schedule_.request_announced();
  if (!backend_->runs(request.candidate.language)) return;
  try {
    if (backend_->name() == "cpu") must_fit(request.task, request.settings.final_cases);
    auto& prepared = tasks_.get(request.task);
    counters_.expect(prepared.task().hash);
    schedule_.prepare(facts_of(prepared, request.candidate, request.settings),
                      counting_ahead(prepared, request));
    perform();
    prepared.make_ready(request.settings.hidden_cases);
    tasks_.trim();
  } catch (const std::exception&) {
    if (!sound()) throw;
    backend_->memory().give_back_cached();
  }
}

void Judge::expect_modules() {
  schedule_.modules_announced();
  try {
    perform();
    backend_->references().expect_modules();
  } catch (const MachineCannot&) {  // reported when a module is judged
  }
}

/// A counted pass is opened ahead for a candidate as fast as the baseline.
std::optional<CountingFacts> Judge::counting_ahead(const PreparedTask& prepared,
                                                   const protocol::Prepare& request) const {
  const auto& settings = request.settings;
  if (!settings.time || !settings.profile || !settings.counters || settings.torch_compile)
    return std::nullopt;
  const auto counting = backend_->telemetry().counting();
  if (!counting || !counting->why_not.empty()) return std::nullopt;
  const double longest = prepared.longest_baseline();
  return CountingFacts{.kind = counting_kind(runner_kind(request.candidate.language)),
                       .set = counted_set(wanted_set(prepared.task(), request.candidate, settings), longest),
                       .length_known = !request.task.module || longest > 0};
}

void Judge::on_idle(bool next_waits) {
  schedule_.on_idle(next_waits);
  perform();
}

void Judge::announced_request_stayed_away() {
  schedule_.announced_request_stayed_away();
  perform();
}

/// False: there was nothing to wait for.
bool Judge::wait_for_background_work() {
  const auto runners = runners_.now();
  schedule_.undisturbed_timing_begins(runners, counters_.opening());
  auto actions = schedule_.take_actions();
  const bool waits = !actions.empty();
  perform(std::move(actions));
  return waits;
}

/// They go on when the result is destroyed.
std::shared_ptr<void> Judge::pause_importing_runners() {
  schedule_.whole_cores_wanted();
  perform();
  return {static_cast<void*>(this), [this](void*) {
            schedule_.whole_cores_released();
            perform();
          }};
}

void Judge::perform() {
  perform(schedule_.take_actions());
}

void Judge::perform(std::vector<ScheduleAction> actions) {
  // An action may report an event to the schedule, which may then order more actions.
  for (; !actions.empty(); actions = schedule_.take_actions())
    for (const auto& action : actions) std::visit([this](const auto& one) { perform(one); }, action);
}

void Judge::perform(const StartRunners& start) {
  try {
    runners_.start(start.kind, start.keep, start.open);
  } catch (const MachineCannot&) {
    if (!start.may_fail) throw;
  }
}

void Judge::perform(const EndRetiredRunners&) {
  runners_.end_retired();
}

void Judge::perform(const WaitForRetiredRunners&) {
  runners_.wait_for_retired();
}

void Judge::perform(const WaitForBackgroundWork&) {
  runners_.wait_for_background_work();
}

void Judge::perform(const ProbeDevice& probe) {
  double longest = 0;
  for (int time = 0; time < probe.times && longest <= probe.busy; ++time)
    longest = std::max(longest, backend_->telemetry().response_seconds());
  schedule_.device_answered(longest);
}

void Judge::perform(const FindRunnerAtHand& find) {
  if (runners_.find_at_hand(find.kind)) schedule_.runner_at_hand();
}

void Judge::perform(const CountAhead& count) {
  counters_.begin(count.kind, count.set);
}

void Judge::perform(const WaitForCounting&) {
  counters_.await_opening();
}

void Judge::perform(const GiveUpCounting&) {
  counters_.give_up();
}

void Judge::perform(const PauseImportingRunners&) {
  paused_ = runners_.pause_importing_runners();
}

void Judge::perform(const ContinueImportingRunners&) {
  paused_.clear();
}

}  // namespace ridgeline::judge
