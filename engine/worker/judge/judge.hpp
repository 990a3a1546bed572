// Judges candidates, one after another: the whole walk from a built library to a verdict.
//
// Holds everything a candidate must not know, in its own memory. Keeps one runner started ahead, prepared
// tasks over their candidates, and the machine's ceilings once measured. One thread.
#pragma once

#include <memory>
#include <optional>

#include "engine/worker/judge/judge_options.hpp"
#include "engine/worker/judge/profile/counters_ahead.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::judge {

class Judge {
 public:
  /// Probes the machine's isolation; the strongest that it offers is used for every runner.
  Judge(JudgeOptions options, std::unique_ptr<Backend> backend);

  /// The verdict from the stage `call` on. Throws MachineCannot where no runner can be started, or the
  /// isolation asked for is not to be had; every fault of a candidate or a task is a verdict.
  Verdict judge(const protocol::JudgeRequest& request);
  /// Makes ready what judging a candidate of that task and language takes. What cannot be is left to `judge`,
  /// which says why. Throws where the judge itself is broken.
  void prepare(const protocol::Prepare& request);
  /// Begins to start the oracle and the interpreters that a first module takes, and waits for none of them.
  void expect_modules();
  protocol::Checked check(const protocol::CheckTask& request) const;
  protocol::Described describe(const protocol::Describe& request) const;

  /// To be told between two requests whether the next one waits already. If not, the next runner is started,
  /// and the last one ended, while nobody waits; else both happen beside the next verdict.
  void rest(bool next_waits);

  /// Whether what it made ready for is still to come.
  bool expecting() const { return expecting_; }
  /// It does not come soon: gives up what others may want meanwhile.
  void give_up_expecting();

  /// Whether further requests can be answered (Backend::sound).
  bool sound() const { return backend_->sound(); }

 private:
  void walk(PreparedTask& prepared, const protocol::JudgeRequest& request, Verdict& verdict);
  void measure(PreparedTask& prepared, std::unique_ptr<RunnerProcess>& runner,
               const protocol::JudgeRequest& request, Verdict& verdict);
  std::optional<RunnerExit> verify(PreparedTask& prepared, RunnerProcess& runner,
                                   const protocol::JudgeRequest& request, Verdict& verdict);
  void open_ahead(const PreparedTask& prepared, const protocol::JudgeRequest& request);
  std::unique_ptr<RunnerProcess> take_runner(const protocol::JudgeRequest& request);
  void quiet();
  bool silence();
  std::shared_ptr<void> pause_importing_runners();
  void count_ahead(const PreparedTask& prepared, const protocol::Prepare& request);

  JudgeOptions options_;
  std::unique_ptr<Backend> backend_;
  sandbox::IsolationProbe probe_;
  sandbox::Isolation level_;
  RunnerPool runners_;
  CountersAhead counters_;
  TaskCache tasks_;
  bool hurried_ = false;    ///< requests wait for one another
  bool expecting_ = false;  ///< what it was told to make ready for
};

}  // namespace ridgeline::judge
