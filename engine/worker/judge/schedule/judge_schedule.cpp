#include "engine/worker/judge/schedule/judge_schedule.hpp"

#include <utility>

#include "engine/worker/judge/schedule/memory_levels.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kAnnouncedWait = 20;      // seconds; most builds take less
constexpr double kBusyDevice = 0.5e-3;     // seconds; a device that nobody uses answers in 20 µs
constexpr int kProbes = 3;                 // one that falls between two kernels of a candidate tells nothing
constexpr std::size_t kModuleRunners = 2;  // a candidate and its reference

bool below(double free_memory, double limit) {
  return free_memory > 0 && free_memory < limit;  // 0: there is no device
}

}  // namespace

JudgeSchedule::JudgeSchedule(const ScheduleSettings& settings)
    : settings_(settings), demand_(settings.means) {}

void JudgeSchedule::modules_announced() {
  add(demand_.expect(RunnerKind::python, kModuleRunners));
}

void JudgeSchedule::prepare(const RequestFacts& request, const std::optional<CountingFacts>& counting) {
  const bool kept = !request.compiles;  // a runner that compiles is started when it is needed
  if (kept) add(demand_.expect(request.kind));
  if (request.module && !request.has_reference_runner) {
    const bool both = kept && request.kind == RunnerKind::python;
    add(demand_.expect(RunnerKind::python, both ? kModuleRunners : 1));
  }
  to_count_.reset();
  if (!counting) return;
  add(demand_.expect(counting->kind));
  // Opening a counted pass waits for its runner. That wait is short unless the runner still imports torch.
  add(FindRunnerAtHand{counting->kind});
  to_count_ = counting;
}

void JudgeSchedule::runner_at_hand() {
  const auto counting = std::exchange(to_count_, std::nullopt);
  if (counting && counting->length_known) add(CountAhead{counting->kind, counting->set});
}

std::optional<double> JudgeSchedule::announced_wait() const {
  if (!awaits_announced_) return std::nullopt;
  return kAnnouncedWait;
}

void JudgeSchedule::announced_request_stayed_away() {
  awaits_announced_ = false;
  on_idle(false);
}

void JudgeSchedule::before_runner_is_taken(double free_memory) {
  if (!below(free_memory, little_memory)) return;
  add(GiveUpCounting{});
  add(WaitForRetiredRunners{});  // the last candidate may have had the rest
}

/// The reference of a module and, where candidates in an interpreter follow one another, the runner of the
/// next candidate open the device while this candidate is checked: it is timed later, when nothing may open
/// the device.
void JudgeSchedule::check_begins(const RequestFacts& request) {
  if (request.streaming) add(WaitForRetiredRunners{});  // the last candidate may hold gigabytes
  if (settings_.starts_disturb || !request.timed || request.compiles || request.streaming) return;
  const bool reference = request.module && !request.has_reference_runner;
  const bool next = queue_nonempty_ && request.kind == RunnerKind::python;
  const std::size_t count = std::size_t{reference} + std::size_t{next};
  if (count == 0) return;
  auto start = demand_.start(RunnerKind::python, count);
  start.may_fail = true;
  add(start);
}

void JudgeSchedule::before_timing_buffers_are_mapped(double free_memory) {
  if (below(free_memory, ample_memory)) add(WaitForRetiredRunners{});
}

/// Runners that start and end hold the driver. Timed calls do without it and everything else needs it, so
/// timing is the time for starts and ends, unless the device itself is still at work for one of them.
void JudgeSchedule::timing_buffers_mapped(const RunnersNow& runners) {
  if (settings_.starts_disturb) return add(WaitForBackgroundWork{});
  // An interpreter computes when it opens the device. It does so here if the module before this was wrong,
  // and was not timed.
  if (runners.opening_device) add(WaitForBackgroundWork{});
  if (runners.ending && !runners.opening_device) {  // that wait would have ended them
    add(EndRetiredRunners{});
    add(ProbeDevice{kProbes, kBusyDevice});  // with what a candidate left behind
    return;
  }
  if (queue_nonempty_) start_ahead();
}

void JudgeSchedule::device_answered(double seconds) {
  if (seconds > kBusyDevice) add(WaitForRetiredRunners{});
  if (queue_nonempty_) start_ahead();
}

void JudgeSchedule::undisturbed_timing_begins(const RunnersNow& runners, bool counting_opens) {
  if (!runners.starting_or_ending && !counting_opens) return;
  add(WaitForCounting{});
  add(WaitForBackgroundWork{});
}

void JudgeSchedule::request_ended(const RequestFacts& request) {
  if (settings_.starts_disturb || request.streaming) add(WaitForRetiredRunners{});
}

/// If a request waits already, starts and ends happen beside its verdict (`timing_buffers_mapped`). Else they
/// happen now, while nobody waits.
void JudgeSchedule::on_idle(bool next_waits) {
  queue_nonempty_ = next_waits;
  if (queue_nonempty_) return;
  if (!awaits_announced_) add(GiveUpCounting{});  // other judges of this device may want to count too
  add(EndRetiredRunners{});
  if (!awaits_announced_) start_ahead();  // the announced request's own runners are started already
}

void JudgeSchedule::start_ahead() {
  for (const auto& start : demand_.start_ahead()) add(start);
}

std::vector<ScheduleAction> JudgeSchedule::take_actions() {
  return std::exchange(actions_, {});
}

}  // namespace ridgeline::judge
