// Wraps the worker pool in blocking calls, for commands that ask, wait and print.
//
// One thread, the caller's, which runs the event loop inside each call. Ctrl-C and SIGTERM end a call with
// Interrupted; the workers end with this object.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/evaluation/worker_pool.hpp"

namespace ridgeline::cli {

class Workers {
 public:
  /// Starts one worker by the command line `launcher` ("" starts the one beside this program) and waits until
  /// it reports what it can do. Its log lines go to stderr. `modules_on` is PoolSettings'; `arguments` are
  /// the worker's. Throws MachineCannot and BadInput.
  Workers(const std::string& launcher, evaluation::Requirements requirements,
          const std::string& modules_on = "", const std::vector<std::string>& arguments = {});
  ~Workers();

  /// Runs `work`, which uses no worker. Ctrl-C meanwhile ends this program at once: the event loop, which
  /// would handle it, stands still.
  void with_default_signals(const std::function<void()>& work);

  /// Returns the verdict on one candidate.
  Verdict evaluate(evaluation::EvaluateRequest request);
  /// Checks all tasks at once. Calls `done` for each as it ends, in any order.
  using Checked = std::function<void(const Task& task, const evaluation::CheckOutcome& outcome)>;
  void check(const std::vector<Task>& tasks, const Checked& done);

  evaluation::WorkerPool& pool();
  boost::asio::io_context& io();
  /// Runs the event loop until `done` returns true. Throws Interrupted.
  void run_until(const std::function<bool()>& done);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ridgeline::cli
