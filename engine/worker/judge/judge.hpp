// Judges candidates, one after another: the whole walk from a built library to a verdict.
//
// Holds everything a candidate must not know, in its own memory. Keeps one runner started ahead, prepared
// tasks over their candidates, and the machine's ceilings once measured. One thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "engine/worker/judge/backend.hpp"
#include "engine/worker/judge/device_counters.hpp"
#include "engine/worker/judge/runner_stock.hpp"
#include "engine/worker/judge/task_cache.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::judge {

struct JudgeOptions {
  std::filesystem::path runner;              ///< of ridgeline-runner
  std::filesystem::path scratch;             ///< a folder of the judge's own, below which runners get theirs
  std::optional<PythonProgram> python = {};  ///< what candidates of torch run in
};

class Judge {
 public:
  /// Probes the machine's isolation; the strongest that it offers is used for every runner.
  Judge(JudgeOptions options, std::unique_ptr<Backend> backend);

  /// The verdict from the stage `call` on. Throws MachineCannot where no runner can be started, or the
  /// isolation asked for is not to be had; every fault of a candidate or a task is a verdict.
  Verdict judge(const protocol::Judge& request);
  protocol::Checked check(const protocol::CheckTask& request) const;
  protocol::Described describe(const protocol::Describe& request) const;

  /// Whether further requests can be answered (Backend::sound).
  bool sound() const { return backend_->sound(); }

  /// Starts the next runner, so that its start is over when it is needed; call while nobody waits.
  void warm_up() { runners_.warm_up(); }

 private:
  void walk(PreparedTask& prepared, const protocol::Judge& request, Verdict& verdict);
  void measure(PreparedTask& prepared, RunnerProcess& runner, const protocol::Judge& request,
               Verdict& verdict);
  bool took_the_memory(const PreparedTask& prepared, RunnerProcess& runner, Verdict& verdict);

  JudgeOptions options_;
  std::unique_ptr<Backend> backend_;
  IsolationProbe probe_;
  Isolation level_;
  RunnerStock runners_;
  CounterConfigs configs_;
  TaskCache tasks_;
};

}  // namespace ridgeline::judge
