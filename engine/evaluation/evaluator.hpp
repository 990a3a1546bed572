// The port through which everything above asks for verdicts; the worker pool and the mailbox stand behind it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::evaluation {

struct EvaluateRequest {
  std::shared_ptr<const Task> task;
  Candidate candidate;
  protocol::EvaluateSettings settings;
  /// Whether the verdict is still wanted, asked when it is sent to a worker: one that waited in vain is
  /// dropped, and its `done` never called. Empty: always.
  std::function<bool()> wanted = {};
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// Calls `done` exactly once with the verdict (never of one that is no longer wanted), on the io_context's
  /// thread and never from inside this call. Whatever goes wrong is a verdict too, with the status
  /// `unavailable`. One thread: the io_context's.
  virtual void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) = 0;

  /// Whether the machine works: has a judge prove `task` itself, with no candidate. Calls `done` once, on
  /// the io_context's thread: with "" if it could, else with what went wrong. An evaluator that cannot be
  /// asked says so, from inside this call.
  virtual void prove(std::shared_ptr<const Task> task, std::function<void(std::string problem)> done);
};

/// A task that somebody else keeps alive.
inline std::shared_ptr<const Task> borrowed(const Task& task) {
  return {std::shared_ptr<const Task>(), &task};
}

}  // namespace ridgeline::evaluation
