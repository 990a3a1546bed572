// The port through which strategies and commands ask for verdicts. The worker pool and the mailbox implement
// it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::evaluation {

/// A candidate to judge against a task.
struct EvaluateRequest {
  std::shared_ptr<const Task> task;
  Candidate candidate;
  protocol::EvaluateSettings settings;
  /// Tells whether the verdict is still wanted. It is asked just before the request goes to a worker or into
  /// a mailbox's file. A request that is no longer wanted then is dropped, and its `done` is never called. A
  /// request that has gone out already is judged, and its `done` is called. Empty: always wanted.
  std::function<bool()> wanted = {};
};

/// Judges candidates. All methods belong to the io_context's thread.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// Calls `done` once with the verdict, on the io_context's thread and never from inside this call; not at
  /// all for a request that was dropped (EvaluateRequest::wanted). A failure of the machine is a verdict too,
  /// with the status `unavailable`.
  virtual void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) = 0;

  /// Proves that the machine works: a judge checks `task` itself, without a candidate. Calls `done` once, on
  /// the io_context's thread, with "" or with what went wrong. The default calls it at once, with a message
  /// that this evaluator cannot be asked.
  virtual void prove(std::shared_ptr<const Task> task, std::function<void(std::string problem)> done);
};

/// Wraps a task that the caller keeps alive, without owning it.
inline std::shared_ptr<const Task> borrowed(const Task& task) {
  return {std::shared_ptr<const Task>(), &task};
}

}  // namespace ridgeline::evaluation
