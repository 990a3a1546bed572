#include "engine/worker/judge/judge.hpp"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include "engine/core/out_of_memory.hpp"
#include "engine/verifier/check_task.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "engine/worker/judge/backends/host_backend.hpp"
#include "engine/worker/judge/correctness/correctness.hpp"
#include "engine/worker/judge/memory_shortage.hpp"
#include "engine/worker/judge/profile/device_profile.hpp"
#include "engine/worker/judge/profile/profile_stage.hpp"
#include "engine/worker/judge/request_facts.hpp"
#include "engine/worker/judge/runner_choice.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/reference_runner.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/timing/first_baselines.hpp"
#include "engine/worker/judge/timing/timed_cases.hpp"
#include "engine/worker/judge/timing/timing_stage.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kMostRenewal = 0.005;  // seconds a candidate that drawing fresh secrets may take

class StageClock {
 public:
  explicit StageClock(StageResult& stage) : stage_(stage), begin_(profiler::wall_seconds()) {}
  StageClock(const StageClock&) = delete;  // it writes once, at its end
  StageClock& operator=(const StageClock&) = delete;
  ~StageClock() { stage_.seconds = profiler::wall_seconds() - begin_; }

 private:
  StageResult& stage_;
  double begin_;
};

}  // namespace

Judge::Judge(JudgeOptions options, std::unique_ptr<Backend> backend)
    : options_(std::move(options)),
      backend_(std::move(backend)),
      probe_(sandbox::probe_isolation()),
      level_(sandbox::best_level(probe_)),
      factory_(runner_factory_for(options_, level_, *backend_)),
      schedule_({.means = factory_.means(), .starts_disturb = backend_->clocks().starts_disturb()}),
      runners_(factory_, [this](RunnerKind kind) { schedule_.runner_taken(kind); }),
      counters_(runners_),
      tasks_(backend_->memory().task_bytes(), *backend_) {}

Verdict Judge::judge(const protocol::JudgeRequest& request) {
  const double begin = profiler::wall_seconds();
  schedule_.request_arrived();
  const auto asked = from_name<sandbox::Isolation>(request.settings.isolation);
  if (!asked)
    throw BadInput("isolation '" + request.settings.isolation + "' is none of none, standard, strict");
  sandbox::require_isolation(*asked, probe_);
  Verdict verdict;
  verdict.task = request.task.hash;
  verdict.posed = posed_text(request.task);
  verdict.candidate = request.candidate.hash;
  verdict.isolation = {std::string(to_string(level_)), sandbox::isolation_details(level_, probe_)};
  verdict.device = backend_->device();
  if (const auto mode = request.settings.torch_compile)
    verdict.notes.push_back(
        fmt::format("the task's own module under torch.compile, mode {}", to_string(*mode)));
  auto& call = verdict.at(Stage::call);
  if (!backend_->runs(request.candidate.language)) {
    call = {.status = Status::unavailable,
            .reason = Reason::unsupported,
            .detail = fmt::format("this judge is for the backend {}, which runs no {} candidates",
                                  backend_->name(), to_string(request.candidate.language))};
  } else {
    try {
      // A device refuses what it has no memory for. A host kills an arbitrary process instead.
      const auto& settings = request.settings;
      if (backend_->name() == "cpu")
        must_fit(request.task, settings.final_cases);
      else
        must_fit_device(request.task, {settings.hidden_cases, settings.final_cases, settings.time},
                        backend_->memory().total_bytes());
      walk(tasks_.get(request.task), request, verdict);
    } catch (const BadInput& error) {
      not_judged(Reason::task_rejected, error.what(), verdict);
    } catch (const OutOfMemory& error) {
      does_not_fit(error.what(), request.task, verdict);
    } catch (const c10::OutOfMemoryError& error) {
      does_not_fit(error.what_without_backtrace(), request.task, verdict);
    } catch (const c10::Error& error) {
      // The host's allocator has no error type of its own: only the text says that memory is short.
      const auto shortage = shortage_in(error);
      if (!shortage) throw;
      does_not_fit(*shortage, request.task, verdict);
    }
  }
  verdict.seconds = profiler::wall_seconds() - begin;
  tasks_.trim();
  return verdict;
}

std::unique_ptr<RunnerProcess> Judge::take_runner(const protocol::JudgeRequest& request) {
  const profiler::ScopedMetric metric("runner");
  return runner_for(request, runners_, factory_);
}

void Judge::walk(PreparedTask& prepared, const protocol::JudgeRequest& request, Verdict& verdict) {
  backend_->memory().account().begin();
  schedule_.before_runner_is_taken(backend_->memory().free_bytes());
  perform();
  auto runner = take_runner(request);
  if (request.settings.time) measure_baselines_first(prepared, request.settings);
  counters_.expect(prepared.task().hash);
  schedule_.check_begins(facts_of(prepared, request.candidate, request.settings));
  perform();
  try {
    measure(prepared, runner, request, verdict);
  } catch (const std::exception&) {  // the judge's own trouble, unless the candidate left it no room
    const bool by_candidate =
        runner && backend_->telemetry().sound() && took_the_memory(prepared, *runner, verdict);
    verdict.memory = backend_->memory().account().stages();
    runners_.retire(std::move(runner));
    schedule_.request_failed();
    perform();
    prepared.free_streaming_buffers();
    if (!by_candidate) throw;
  }
  verdict.memory = backend_->memory().account().stages();
  runners_.retire(std::move(runner));
  schedule_.request_ended(facts_of(prepared, request.candidate, request.settings));
  perform();
  prepared.free_streaming_buffers();
  prepared.renew_one(kMostRenewal);
}

/// The first candidate of a task is not loaded yet, so it can do nothing to what it will be compared with.
void Judge::measure_baselines_first(PreparedTask& prepared, const protocol::EvaluateSettings& settings) {
  if (!lacks_first_baselines(prepared, settings.hidden_cases)) return;
  wait_for_background_work();
  measure_first_baselines(prepared, settings.hidden_cases, settings.timing_cap_seconds);
}

/// The stages `call` and `correctness`. Returns how the runner ended, if it did.
std::optional<RunnerExit> Judge::verify(PreparedTask& prepared, RunnerProcess& runner,
                                        const protocol::JudgeRequest& request, Verdict& verdict) {
  const auto& settings = request.settings;
  {
    StageClock clock(verdict.at(Stage::call));
    const double limit = runner_limits::load_in(runner.interpreter());
    const auto loaded = runner.load(request.artefact, limit, state_bytes(prepared.task()));
    if (const auto* end = std::get_if<RunnerExit>(&loaded)) {
      auto explained = explain_end(*end, limit, {}, nullptr, prepared.task());
      explained.result.detail +=
          runner.interpreter() ? " (while the module was made)" : " (while loading: a static constructor)";
      // No call was made yet, so its end says nothing about the kernel.
      if (explained.result.reason == Reason::crashed || explained.result.reason == Reason::exited)
        explained.result.reason = Reason::load_error;
      verdict.at(Stage::call) = explained.result;
      verdict.call_failure = explained.failure;
      verdict.cheated = explained.cheated;
      return std::nullopt;
    }
    const auto& reply = std::get<runner::Reply>(loaded);
    if (reply.answer != runner::Answer::ok) {
      verdict.at(Stage::call) = explain_refusal(reply, runner.interpreter());
      return std::nullopt;
    }
  }
  StageClock clock(verdict.at(Stage::correctness));
  backend_->memory().account().enter(Stage::correctness);
  return check_correctness(prepared, runner,
                           {settings.hidden_cases, settings.final_cases, settings.call_limit_seconds,
                            settings.torch_compile.has_value(), settings.fallback},
                           verdict);
}

void Judge::measure(PreparedTask& prepared, std::unique_ptr<RunnerProcess>& runner,
                    const protocol::JudgeRequest& request, Verdict& verdict) {
  const auto& settings = request.settings;
  auto ended = verify(prepared, *runner, request, verdict);
  const bool right = verdict.at(Stage::call).status == Status::passed &&
                     verdict.at(Stage::correctness).status == Status::passed;
  if (right && settings.time && !ended) {
    const auto& ceilings = backend_->telemetry().ceilings();
    ended = time(prepared, *runner, ceilings, request, verdict);
    if (settings.profile && !settings.torch_compile && verdict.at(Stage::timing).status == Status::passed) {
      StageClock clock(verdict.at(Stage::profile));
      if (const auto counting = backend_->telemetry().counting(); counting && settings.counters)
        count(prepared, std::move(runner), *counting, ceilings, request, verdict);
      else
        profile(prepared, ended ? nullptr : runner.get(), ceilings, verdict);
    }
  }
  if (ended && ended->fault && verdict.call_failure)
    verdict.call_failure->place = place_of(request.artefact, ended->fault->fault_offset, level_);
}

/// The stage `timing`. Returns how the runner ended, if it did.
std::optional<RunnerExit> Judge::time(PreparedTask& prepared, RunnerProcess& runner, const Ceilings& ceilings,
                                      const protocol::JudgeRequest& request, Verdict& verdict) {
  const auto& settings = request.settings;
  StageClock clock(verdict.at(Stage::timing));
  backend_->memory().account().enter(Stage::timing);
  schedule_.before_timing_buffers_are_mapped(backend_->memory().free_bytes());
  perform();
  // Before the schedule has other runners open the device, which holds the driver that mapping waits for.
  map_timing_arenas_ahead(prepared, runner, settings.hidden_cases);
  schedule_.timing_buffers_mapped(runners_.now());
  perform();
  if (prepared.task().module && !prepared.reference_runner().is_alive()) {
    const profiler::ScopedMetric metric("timing.reference_runner");
    prepared.reference_runner().started(start_reference(prepared.task(), runners_, options_.scratch));
  }
  return time_candidate(
      prepared, runner, ceilings,
      {settings.timing_cap_seconds, settings.precision_goal.value_or(0), settings.call_limit_seconds,
       settings.hidden_cases, settings.energy, [this] { return wait_for_background_work(); },
       [this] { return pause_importing_runners(); }},
      verdict);
}

/// The stage `profile` where a fresh runner counts: the candidate's own ends beside it.
void Judge::count(PreparedTask& prepared, std::unique_ptr<RunnerProcess> runner,
                  const DeviceCounting& counting, const Ceilings& ceilings,
                  const protocol::JudgeRequest& request, Verdict& verdict) {
  runners_.retire(std::move(runner));
  schedule_.counting_begins();
  perform();
  profile_on_device(prepared,
                    {runners_, counters_, counting, request.artefact, request.settings.call_limit_seconds,
                     counting_kind(runner_kind(request.candidate.language)),
                     wanted_set(prepared.task(), request.candidate, request.settings)},
                    ceilings, verdict);
}

protocol::Checked Judge::check(const protocol::CheckTask& request) const {
  must_fit(request.task, true);
  protocol::Checked checked{request.id, {}};
  for (const auto& item : verifier::check_task(request.task, secret_seed()).items)
    checked.items.push_back({item.name, item.passed, item.message});
  return checked;
}

protocol::Described Judge::describe(const protocol::Describe& request) const {
  protocol::Described described;
  described.id = request.id;
  described.torch = verifier::torch_version();
  backend_->describe(described);
  for (const auto& lacking : {probe_.standard, probe_.strict})
    for (const auto& one : lacking)
      described.shortfalls.push_back(one.what + ": " + one.reason + "; " + one.fix);
  return described;
}

}  // namespace ridgeline::judge
