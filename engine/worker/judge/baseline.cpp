#include "engine/worker/judge/baseline.hpp"

#include "engine/core/error.hpp"
#include "engine/worker/judge/call_failure.hpp"
#include "engine/worker/judge/runner_caller.hpp"
#include "engine/worker/judge/timed_slots.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {

namespace {
constexpr int kCheckPairs = 3;
}  // namespace

std::string_view compute_dtype_name(const Task& task) {
  for (const auto* tensor : task.tensors())
    if (is_floating(tensor->dtype) || is_complex(tensor->dtype)) return to_string(tensor->dtype);
  return "integers";
}

std::optional<BatchTimes> BaselineCaller::call(std::size_t first, std::size_t count) {
  std::vector<std::vector<at::Tensor>> inputs;
  inputs.reserve(count);
  for (std::size_t slot = first; slot < first + count; ++slot)
    inputs.push_back(case_.timing_arena->view_inputs(slot));
  BatchTimes times;
  const double cpu = profiler::thread_cpu_seconds(), wall = profiler::wall_seconds();
  for (const auto& one : inputs) prepared_.reference().run(one, case_.definition());
  prepared_.backend().finish_reference();
  times.wall = profiler::wall_seconds() - wall;
  times.cpu = profiler::thread_cpu_seconds() - cpu;
  times.claimed = times.cpu;
  return times;
}

Duration to_duration(const Evidence& evidence, bool converged) {
  Duration duration;
  duration.samples = evidence.samples;
  duration.median = median(evidence.samples);
  const auto interval = median_interval(evidence.samples);
  duration.low = interval.low;
  duration.high = interval.high;
  duration.converged = converged;
  return duration;
}

namespace {

// Calls of a module's reference before it is timed; later it has waited, and its code is out of the caches.
constexpr int kWarmUps = 8;
constexpr int kLaterWarmUps = 2;
constexpr double kModuleLimit = 60;  // seconds a batch of a module's reference may take
constexpr int kTriesBesideOthers = 3;

/// What is sampled for the baseline: the reference in the judge's own process, or a module in its runner.
class Baseline {
 public:
  Baseline(PreparedTask& prepared, PreparedCase& one) : prepared_(prepared), own_(prepared, one) {
    if (auto* runner = prepared.reference_runner.get()) {
      const auto mapped = runner->map(*one.timing_arena, kModuleLimit);
      const auto* reply = std::get_if<runner::Reply>(&mapped);
      if (!reply || reply->answer != runner::Answer::ok) {
        prepared.reference_runner.reset();
        throw BadInput("task " + prepared.task().name +
                       ": its reference cannot be run as a candidate: " + text_of(mapped));
      }
      slots_.emplace(prepared, one, runner);
      caller_.emplace(*runner, kModuleLimit);
      warm_up();
    } else {
      slots_.emplace(prepared, one, nullptr);
    }
  }

  /// A runner that is over is none for the next candidate.
  ~Baseline() {
    if (caller_ && (caller_->last() || slots_->refused())) prepared_.reference_runner.reset();
  }
  Baseline(const Baseline&) = delete;  // it ends a runner once
  Baseline& operator=(const Baseline&) = delete;

  Sampling take(const SamplingLimits& limits) {
    BatchCaller& caller = caller_ ? static_cast<BatchCaller&>(*caller_) : own_;
    return sample(caller, *slots_, limits, prepared_.random(), profiler::wall_seconds);
  }
  Evidence weigh(const std::vector<BatchPair>& pairs) const {
    return prepared_.backend().weigh(
        pairs, prepared_.reference_runner ? prepared_.reference_runner->trusted_overhead() : Overhead{});
  }
  /// The device had other work before it answered the judge when a batch was over: not the reference's, which
  /// nobody suspects, but what a candidate that is paused has left there.
  bool disturbed(const Evidence& evidence) const {
    return !prepared_.backend().starts_disturb() && evidence.dispute == Dispute::outside_window;
  }

 private:
  /// A candidate was called when it was checked, and what its interpreter does at first calls is over.
  void warm_up() {
    const int calls = prepared_.reference_called ? kLaterWarmUps : kWarmUps;
    for (int call = 0; call < calls; ++call)
      if (slots_->prepare(1, false)) caller_->call(0, 1);
    prepared_.reference_called = true;
  }
  static std::string text_of(const RunnerAnswer& answer) {
    const auto* reply = std::get_if<runner::Reply>(&answer);
    return reply ? explain_refusal(*reply, true).detail : describe(std::get<RunnerEnd>(answer).outcome);
  }

  PreparedTask& prepared_;
  BaselineCaller own_;
  std::optional<RunnerCaller> caller_;
  std::optional<TimedSlots> slots_;
};

}  // namespace

double keep_baseline(PreparedTask& prepared, PreparedCase& one, const SamplingLimits& limits, bool look,
                     BusyHostSlows slows) {
  if (one.baseline && one.baseline_confirmed && !look) return 1;
  // Its runner is over since the stage began: what the oracle takes is no baseline.
  if (prepared.task().module && !prepared.reference_runner) return 1;
  Baseline baseline(prepared, one);
  double drift = 1;
  auto full = limits;
  if (one.baseline) {
    auto brief = limits;
    brief.floor_samples = kCheckPairs;
    brief.cap_seconds = limits.cap_seconds / 10;
    brief.elapsed_seconds = limits.elapsed_seconds / 10;
    const auto check = baseline.weigh(baseline.take(brief).pairs);
    if (baseline.disturbed(check) || check.samples.empty() || one.baseline->median <= 0) return 1;
    drift = median(check.samples) / one.baseline->median;
    one.baseline_confirmed = drift > 1 / most_drift;
    if (drift < most_drift && drift > 1 / most_drift) return drift;
    if (drift > 1 && slows == BusyHostSlows::baseline_alone) return drift;
    full.elapsed_seconds = limits.elapsed_seconds / 2;  // a machine that drifts may do so at every candidate
  }
  Sampling sampling;
  Evidence evidence;
  int tries = 0;
  do {
    sampling = baseline.take(full);
    evidence = baseline.weigh(sampling.pairs);
  } while (baseline.disturbed(evidence) && ++tries < kTriesBesideOthers);
  if (baseline.disturbed(evidence)) return drift;
  auto measured = to_duration(evidence, sampling.end == SamplingEnd::enough);
  if (measured.median <= 0) return drift;
  one.reference_seconds = measured.median;
  one.baseline = std::move(measured);
  one.baseline_confirmed = false;
  return drift;
}

}  // namespace ridgeline::judge
