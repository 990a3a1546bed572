#include "engine/worker/judge/timing/baseline_side.hpp"

#include "engine/core/error.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

// Calls of a module's reference before it is timed: many at first, since an interpreter compiles and caches
// then; a few later, since its code has left the caches while it waited.
constexpr int kWarmUps = 8;
constexpr int kLaterWarmUps = 2;
constexpr double kModuleLimit = 60;  // seconds a batch of a module's reference may take

std::string text_of(const RunnerAnswer& answer) {
  const auto* reply = std::get_if<runner::Reply>(&answer);
  return reply ? explain_refusal(*reply, true).detail
               : sandbox::describe(std::get<RunnerExit>(answer).outcome);
}

}  // namespace

std::optional<BatchTimes> BaselineCaller::call(std::size_t first, std::size_t count) {
  std::vector<std::vector<at::Tensor>> inputs;
  inputs.reserve(count);
  for (std::size_t slot = first; slot < first + count; ++slot)
    inputs.push_back(case_.timing_arena->view_inputs(slot));
  BatchTimes times;
  const double cpu = profiler::thread_cpu_seconds(), wall = profiler::wall_seconds();
  for (const auto& each : inputs) prepared_.reference().run(each, case_.definition());
  prepared_.backend().references().wait_until_done();
  times.wall = profiler::wall_seconds() - wall;
  times.cpu = profiler::thread_cpu_seconds() - cpu;
  times.claimed = times.cpu;
  return times;
}

BaselineSide::BaselineSide(PreparedTask& prepared, PreparedCase& prepared_case)
    : prepared_(prepared), clocks_(prepared.backend().clocks()), own_(prepared, prepared_case) {
  auto* runner = prepared.reference_runner().process();
  if (!runner) {
    slots_.emplace(prepared, prepared_case, nullptr);
    return;
  }
  const auto mapped = runner->map(*prepared_case.timing_arena, kModuleLimit);
  const auto* reply = std::get_if<runner::Reply>(&mapped);
  if (!reply || reply->answer != runner::Answer::ok) {
    prepared.reference_runner().refused();
    throw BadInput("task " + prepared.task().name +
                   ": its reference cannot be run as a candidate: " + text_of(mapped));
  }
  slots_.emplace(prepared, prepared_case, runner);
  runner_.emplace(*runner, kModuleLimit);
  runner_->set_order(runner::CallOrder::one_by_one);  // as the candidate's calls are
  warm_up();
}

/// In the destructor, since an exception while the baseline is measured must not leave the next candidate a
/// runner that has ended.
BaselineSide::~BaselineSide() {
  if (!runner_ || !(runner_->last() || slots_->arrange_failure())) return;
  prepared_.reference_runner().ended(
      text_of(runner_->last() ? *runner_->last() : *slots_->arrange_failure()));
}

/// Brings the reference to where a candidate is: correctness has called that already.
void BaselineSide::warm_up() {
  const int calls = prepared_.reference_runner().is_warm() ? kLaterWarmUps : kWarmUps;
  for (int call = 0; call < calls; ++call)
    if (slots_->prepare(1, false)) runner_->call(0, 1);
  prepared_.reference_runner().first_calls_done();
}

Evidence BaselineSide::weigh(const std::vector<BatchPair>& pairs) const {
  const auto* runner = prepared_.reference_runner().process();
  return clocks_.weigh(pairs, runner ? runner->trusted_overhead() : Overhead{});
}

bool BaselineSide::disturbed(const Evidence& evidence) const {
  return !clocks_.starts_disturb() && evidence.dispute == Dispute::outside_window;
}

}  // namespace ridgeline::judge
