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
#include "engine/worker/judge/runner_choice.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/reference_runner.hpp"
#include "engine/worker/judge/timing/timed_cases.hpp"
#include "engine/worker/judge/timing/timing_stage.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kLoadLimit = 10;        // seconds
constexpr double kModuleLoadLimit = 60;  // a constructor of torch may build a large model
constexpr double kBusy = 0.5e-3;         // seconds; a device that nobody uses answers in 20 µs
constexpr double kMostRenewal = 0.005;   // seconds a candidate that drawing fresh secrets may take

std::string isolation_details(sandbox::Isolation level, const sandbox::IsolationProbe& probe) {
  switch (level) {
    case sandbox::Isolation::strict:
      return fmt::format("user, pid, net, ipc, mount, uts namespaces; Landlock {}; seccomp",
                         probe.landlock_abi);
    case sandbox::Isolation::standard:
      return fmt::format("Landlock {}; seccomp; process group", probe.landlock_abi);
    case sandbox::Isolation::none:
      return "limits and a process group only";
  }
  return {};
}

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
      runners_(pool_for(options_, level_, *backend_)),
      counters_(runners_),
      tasks_(backend_->task_memory(), *backend_) {}

Verdict Judge::judge(const protocol::JudgeRequest& request) {
  const double begin = profiler::wall_seconds();
  expecting_ = false;
  const auto asked = from_name<sandbox::Isolation>(request.settings.isolation);
  if (!asked)
    throw BadInput("isolation '" + request.settings.isolation + "' is none of none, standard, strict");
  sandbox::require_isolation(*asked, probe_);
  Verdict verdict;
  verdict.task = request.task.hash;
  verdict.candidate = request.candidate.hash;
  verdict.isolation = {std::string(to_string(level_)), isolation_details(level_, probe_)};
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
      if (backend_->name() == "cpu") must_fit(request.task, request.settings.final_cases);
      walk(tasks_.get(request.task), request, verdict);
    } catch (const BadInput& error) {
      not_judged(Reason::task_rejected, error.what(), verdict);
    } catch (const OutOfMemory& error) {
      does_not_fit(error.what(), verdict);
    } catch (const c10::OutOfMemoryError& error) {
      does_not_fit(error.what_without_backtrace(), verdict);
    } catch (const c10::Error& error) {
      const auto shortage = shortage_in(error);
      if (!shortage) throw;
      does_not_fit(*shortage, verdict);
    }
  }
  verdict.seconds = profiler::wall_seconds() - begin;
  tasks_.trim();
  return verdict;
}

void Judge::prepare(const protocol::Prepare& request) {
  expecting_ = true;
  if (!backend_->runs(request.candidate.language)) return;
  const auto kind = runner_kind(request.candidate.language);
  try {
    if (backend_->name() == "cpu") must_fit(request.task, request.settings.final_cases);
    auto& prepared = tasks_.get(request.task);
    const bool kept = !request.settings.torch_compile;  // one that compiles is started when it is needed
    if (kept) runners_.expect(kind);
    if (request.task.module && !prepared.has_reference_runner())
      runners_.expect(RunnerKind::python, kind == RunnerKind::python && kept ? 2 : 1);
    count_ahead(prepared, request);
    prepared.make_ready(request.settings.hidden_cases);
    tasks_.trim();
  } catch (const std::exception&) {
    if (!sound()) throw;
    backend_->give_back_memory();
  }
}

void Judge::expect_modules() {
  try {
    runners_.expect(RunnerKind::python, 2);  // a candidate and its reference
    backend_->expect_modules();
  } catch (const MachineCannot&) {  // told where one is judged
  }
}

/// Opens the first counted pass while nothing else needs the driver: of what a candidate as fast as the
/// baseline is counted of. A module's calls may take anything, so nothing is opened before one was timed.
void Judge::count_ahead(const PreparedTask& prepared, const protocol::Prepare& request) {
  const auto& settings = request.settings;
  if (!settings.time || !settings.profile || !settings.counters || settings.torch_compile) return;
  const auto counting = backend_->counting();
  if (!counting || !counting->why_not.empty()) return;
  const auto kind = counting_kind(runner_kind(request.candidate.language));
  runners_.expect(kind);
  const double longest = prepared.longest_baseline();
  if (!runners_.at_hand(kind) || (request.task.module && longest == 0)) return;
  counters_.begin(kind, counted_set(profiler::metrics_for(request.candidate), longest));
}

std::unique_ptr<RunnerProcess> Judge::take_runner(const protocol::JudgeRequest& request) {
  const profiler::ScopedMetric metric("runner");
  return runner_for(request, runners_);
}

void Judge::walk(PreparedTask& prepared, const protocol::JudgeRequest& request, Verdict& verdict) {
  if (const double left = backend_->free_memory(); left > 0 && left < little_memory) {
    counters_.drop();
    runners_.await_ends();  // the last candidate may have had the rest
  }
  auto runner = take_runner(request);
  open_ahead(prepared, request);
  try {
    measure(prepared, runner, request, verdict);
  } catch (const std::exception&) {  // the judge's own trouble, unless the candidate left it no room
    const bool taken = runner && backend_->sound() && took_the_memory(prepared, *runner, verdict);
    runners_.retire(std::move(runner));
    runners_.await_ends();
    prepared.give_back();
    if (!taken) throw;
  }
  runners_.retire(std::move(runner));
  if (backend_->starts_disturb() || prepared.lean()) runners_.await_ends();
  prepared.give_back();
  prepared.renew_one(kMostRenewal);
}

/// The reference of a module and, where candidates follow one another, the next of them open the device while
/// this one is checked: later it is timed, and nothing may. What cannot be is told where it is wanted.
void Judge::open_ahead(const PreparedTask& prepared, const protocol::JudgeRequest& request) try {
  const auto& settings = request.settings;
  if (backend_->starts_disturb() || !prepared.task().module || !settings.time || settings.torch_compile)
    return;
  if (prepared.lean()) return;  // which may want all of the memory
  const bool reference = !prepared.has_reference_runner();
  const bool next = hurried_ && runner_kind(request.candidate.language) == RunnerKind::python;
  if (const int count = int{reference} + int{next}; count > 0)
    runners_.start(RunnerKind::python, static_cast<std::size_t>(count));
} catch (const MachineCannot&) {
}

void Judge::rest(bool next_waits) {
  hurried_ = next_waits;
  if (hurried_) return;
  if (!expecting_) counters_.drop();  // others may want to count too
  runners_.begin_ends();
  if (!expecting_) runners_.start_ahead();  // what comes soon has its own, and is being built
}

void Judge::give_up_expecting() {
  expecting_ = false;
  rest(false);
}

/// What may go on while a candidate is timed. Runners that start and end hold the driver, which timed calls
/// do without, and everything else needs: so this is the time for it.
void Judge::quiet() {
  if (backend_->starts_disturb()) return runners_.settle();
  if (runners_.opening()) runners_.settle();  // after a module that was wrong: imports begin with kernels
  if (runners_.ending()) {
    runners_.begin_ends();
    bool busy = false;  // with what a candidate left behind
    for (int look = 0; look < 3; ++look) busy = busy || backend_->settle() > kBusy;
    if (busy) runners_.await_ends();
  }
  if (hurried_) runners_.start_ahead();
}

std::shared_ptr<void> Judge::pause_importing_runners() {
  using Held = decltype(runners_.pause_importing_runners());
  return std::make_shared<Held>(runners_.pause_importing_runners());
}

/// What `quiet` let go on, and the opening of the first counted pass.
bool Judge::silence() {
  if (!runners_.busy() && !counters_.opening()) return false;
  counters_.settle();
  runners_.settle();
  return true;
}

/// The stages `call` and `correctness`; how the runner ended, if it did.
std::optional<RunnerExit> Judge::verify(PreparedTask& prepared, RunnerProcess& runner,
                                        const protocol::JudgeRequest& request, Verdict& verdict) {
  const auto& settings = request.settings;
  {
    StageClock clock(verdict.at(Stage::call));
    const double limit = runner.interpreter() ? kModuleLoadLimit : kLoadLimit;
    const auto loaded = runner.load(request.artefact, limit, state_bytes(prepared.task()));
    if (const auto* end = std::get_if<RunnerExit>(&loaded)) {
      auto told = explain_end(*end, limit, {}, nullptr, prepared.task());
      told.result.detail +=
          runner.interpreter() ? " (while the module was made)" : " (while loading: a static constructor)";
      if (told.result.reason == Reason::crashed || told.result.reason == Reason::exited)
        told.result.reason = Reason::load_error;
      verdict.at(Stage::call) = told.result;
      verdict.call_failure = told.failure;
      verdict.cheated = told.cheated;
      return std::nullopt;
    }
    const auto& reply = std::get<runner::Reply>(loaded);
    if (reply.answer != runner::Answer::ok) {
      verdict.at(Stage::call) = explain_refusal(reply, runner.interpreter());
      return std::nullopt;
    }
  }
  StageClock clock(verdict.at(Stage::correctness));
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
    const auto& roof = backend_->ceilings();
    {
      StageClock clock(verdict.at(Stage::timing));
      if (const double left = backend_->free_memory(); left > 0 && left < ample_memory) runners_.await_ends();
      map_ahead(prepared, *runner, settings.hidden_cases);
      quiet();
      if (prepared.task().module && !prepared.has_reference_runner()) {
        const profiler::ScopedMetric metric("timing.reference_runner");
        prepared.reference_runner = start_reference(prepared.task(), runners_, options_.scratch);
        prepared.reference_called = false;
        prepared.reference_end.clear();
      }
      ended = time_candidate(
          prepared, *runner, roof,
          {settings.timing_cap_seconds, settings.call_limit_seconds, settings.hidden_cases, settings.energy,
           [this] { return silence(); }, [this] { return pause_importing_runners(); }},
          verdict);
    }
    if (settings.profile && !settings.torch_compile && verdict.at(Stage::timing).status == Status::passed) {
      StageClock clock(verdict.at(Stage::profile));
      if (const auto counting = backend_->counting(); counting && settings.counters) {
        runners_.retire(std::move(runner));
        runners_.begin_ends();
        profile_on_device(prepared,
                          {runners_, counters_, *counting, request.artefact, settings.call_limit_seconds,
                           counting_kind(runner_kind(request.candidate.language)),
                           profiler::metrics_for(request.candidate)},
                          roof, verdict);
      } else {
        profile(prepared, ended ? nullptr : runner.get(), roof, verdict);
      }
    }
  }
  if (ended && ended->fault && verdict.call_failure)
    verdict.call_failure->place = place_of(request.artefact, ended->fault->fault_offset, level_);
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
      described.shortfalls.push_back(one.what + ": " + one.reason + "; " + one.mend);
  return described;
}

}  // namespace ridgeline::judge
