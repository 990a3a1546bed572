// Holds a module's reference in a runner of its own, so that its baseline is measured under a candidate's
// conditions. Knows whether that runner is there, whether its slow first calls are behind it, and how the one
// before ended. All cases of a task share it; only the task that was judged last keeps it. One thread.
#pragma once

#include <memory>
#include <string>

#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

class TaskReferenceRunner {
 public:
  /// Returns whether there is one, which may have ended without anybody having noticed yet.
  bool exists() const { return process_ != nullptr; }
  /// Returns whether there is one whose process lives.
  bool is_alive() const { return process_ && process_->alive(); }
  /// Returns its process, owned by this; null if there is none.
  RunnerProcess* process() const { return process_.get(); }
  /// Returns whether it has done its slow first calls, in which an interpreter compiles and caches.
  bool is_warm() const { return exists() && warm_; }
  /// Returns how the one before ended, in words; "" if none did, or another one started since.
  const std::string& how_ended() const { return how_ended_; }

  /// `process` has loaded the reference and was never called. Throws std::logic_error if one lives already,
  /// which would be two interpreters with torch for one task.
  void started(std::unique_ptr<RunnerProcess> process);
  void first_calls_done() { warm_ = true; }
  /// It ended or refused an order: drops it, so that the next candidate gets a fresh one.
  void ended(std::string how);
  /// It cannot be run as a candidate, which the caller's error says: drops it.
  void refused() { process_.reset(); }
  /// Another task needs the memory: an interpreter with torch holds some hundred MB.
  void dropped_to_make_room() { process_.reset(); }

 private:
  std::unique_ptr<RunnerProcess> process_;
  bool warm_ = false;
  std::string how_ended_;
};

}  // namespace ridgeline::judge
