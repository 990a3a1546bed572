// The worker pool for a command that asks, waits and prints: a blocking face over it.
//
// Ctrl-C and SIGTERM end whatever is waited for with Interrupted, and the workers with it. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/evaluation/worker_pool.hpp"

namespace ridgeline::cli {

class Workers {
 public:
  /// Starts one worker (`launcher` empty: beside this program) and waits for its hello. Its log lines go to
  /// stderr. `modules_on`: of PoolSettings. Throws MachineCannot and BadInput.
  Workers(const std::string& launcher, evaluation::Requirements requirements,
          const std::string& modules_on = "");
  ~Workers();

  /// Does what asks no worker; Ctrl-C meanwhile ends this program at once, and the workers by that.
  void with_default_signals(const std::function<void()>& work);

  Verdict evaluate(evaluation::EvaluateRequest request);
  /// Checks all at once; `done` hears of each as it ends, in any order.
  using Checked = std::function<void(const Task& task, const evaluation::CheckOutcome& outcome)>;
  void check(const std::vector<Task>& tasks, const Checked& done);

  evaluation::WorkerPool& pool();
  boost::asio::io_context& io();
  /// Works until `done`. Throws Interrupted.
  void run_until(const std::function<bool()>& done);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ridgeline::cli
