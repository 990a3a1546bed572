// Judges candidates, one after another: each from a built library to a verdict.
//
// Holds everything that a candidate must not know, in its own memory. When runners start and end is decided
// by JudgeSchedule; the judge performs what that asks for. One thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/worker/judge/judge_options.hpp"
#include "engine/worker/judge/profile/counters_ahead.hpp"
#include "engine/worker/judge/runners/runner_factory.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"
#include "engine/worker/judge/schedule/judge_schedule.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::judge {

class Judge {
 public:
  /// Probes the machine's isolation; the strongest that it offers is used for every runner.
  Judge(JudgeOptions options, std::unique_ptr<Backend> backend);
  Judge(const Judge&) = delete;  // the pool calls it back
  Judge& operator=(const Judge&) = delete;

  /// Returns the verdict from the stage `call` on. Throws MachineCannot where no runner can be started, or
  /// the isolation asked for is not to be had; every fault of a candidate or a task is a verdict.
  Verdict judge(const protocol::JudgeRequest& request);
  /// Prepares what judging a candidate of that task and language takes. What fails is left to `judge`, which
  /// says why. Throws where the judge itself is broken.
  void prepare(const protocol::Prepare& request);
  /// Begins to start the oracle and the interpreters that a first module takes. Waits for none of them.
  void expect_modules();
  protocol::Checked check(const protocol::CheckTask& request) const;
  protocol::Described describe(const protocol::Describe& request) const;

  /// Call between two requests, with whether the next one waits already. If none waits, the next runner is
  /// started and the last one ended while nobody waits; else both happen beside the next verdict.
  void on_idle(bool next_waits);
  /// Returns the seconds to wait for the request that was prepared for, before
  /// `announced_request_stayed_away` is called. Empty: no such request is awaited.
  std::optional<double> announced_wait() const { return schedule_.announced_wait(); }
  /// Gives up what others may want meanwhile.
  void announced_request_stayed_away();

  /// Returns whether further requests can be answered (Telemetry::sound).
  bool sound() const { return backend_->telemetry().sound(); }

 private:
  // judge.cpp: a request's stages.
  void walk(PreparedTask& prepared, const protocol::JudgeRequest& request, Verdict& verdict);
  std::unique_ptr<RunnerProcess> take_runner(const protocol::JudgeRequest& request);
  void measure(PreparedTask& prepared, std::unique_ptr<RunnerProcess>& runner,
               const protocol::JudgeRequest& request, Verdict& verdict);
  void measure_baselines_first(PreparedTask& prepared, const protocol::EvaluateSettings& settings);
  std::optional<RunnerExit> verify(PreparedTask& prepared, RunnerProcess& runner,
                                   const protocol::JudgeRequest& request, Verdict& verdict);
  std::optional<RunnerExit> time(PreparedTask& prepared, RunnerProcess& runner, const Ceilings& ceilings,
                                 const protocol::JudgeRequest& request, Verdict& verdict);
  void count(PreparedTask& prepared, std::unique_ptr<RunnerProcess> runner, const DeviceCounting& counting,
             const Ceilings& ceilings, const protocol::JudgeRequest& request, Verdict& verdict);

  // judge_actions.cpp: what the schedule asks for.
  std::optional<CountingFacts> counting_ahead(const PreparedTask& prepared,
                                              const protocol::Prepare& request) const;
  bool wait_for_background_work();
  std::shared_ptr<void> pause_importing_runners();
  /// Performs all that the schedule asks for since the last event. Throws as the actions; what was to follow
  /// the one that threw is not done.
  void perform();
  void perform(std::vector<ScheduleAction> actions);
  void perform(const StartRunners& start);
  void perform(const EndRetiredRunners& end);
  void perform(const WaitForRetiredRunners& wait);
  void perform(const WaitForBackgroundWork& wait);
  void perform(const ProbeDevice& probe);
  void perform(const FindRunnerAtHand& find);
  void perform(const CountAhead& count);
  void perform(const WaitForCounting& wait);
  void perform(const GiveUpCounting& give_up);
  void perform(const PauseImportingRunners& pause);
  void perform(const ContinueImportingRunners& go_on);

  JudgeOptions options_;
  std::unique_ptr<Backend> backend_;
  sandbox::IsolationProbe probe_;
  sandbox::Isolation level_;
  RunnerProcessFactory factory_;
  JudgeSchedule schedule_;
  RunnerPool runners_;
  CountersAhead counters_;
  TaskCache tasks_;
  std::vector<std::shared_ptr<void>> paused_;  // interpreters that import
};

}  // namespace ridgeline::judge
