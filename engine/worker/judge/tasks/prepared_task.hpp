// Holds what the judge knows of a task, made once and kept over its candidates: the compiled reference,
// secret inputs with their expected outputs, streams of fresh inputs for timing, and the baseline.
//
// One thread. Addresses of cases are stable for the life of the object.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/core/task.hpp"
#include "engine/core/timing.hpp"
#include "engine/verifier/reference.hpp"
#include "engine/worker/judge/arenas/arena.hpp"
#include "engine/worker/judge/arenas/instance.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/judge/tasks/case_baseline.hpp"
#include "engine/worker/judge/tasks/secret_sets.hpp"
#include "engine/worker/judge/tasks/task_reference_runner.hpp"

namespace ridgeline::judge {

inline constexpr std::array kInputSets{InputSet::standard, InputSet::outlier, InputSet::edge};

/// One case of a prepared task.
class PreparedCase {
 public:
  /// Task and case must outlive it. `slice`: DeviceMemory::slice_elements.
  PreparedCase(const Task& task, const Case& definition, std::int64_t slice = 0);

  const Case& definition() const { return case_; }
  SecretSets& sets(InputSet set) { return sets_[static_cast<std::size_t>(set)]; }
  const SecretSets& sets(InputSet set) const { return sets_[static_cast<std::size_t>(set)]; }
  /// Returns the seconds that drawing a secret set with its expectation takes: the least of the sets drawn so
  /// far, since the first also waits for what starts once. 0 before any.
  double expectation_seconds() const;

  /// Returns a fresh instance of the standard distribution. None comes twice.
  Instance next_instance(const verifier::Reference& reference, Random& random);

  CaseBaseline& baseline() { return baseline_; }
  const CaseBaseline& baseline() const { return baseline_; }

  double hot_bytes = 0;  ///< bytes that the last hot calls went round over
  /// The slots of timed calls; null until the case is timed. Kept over candidates, since filling fresh pages
  /// costs more than measuring: make_timing_arena clears it before another runner maps it.
  std::unique_ptr<Arena> timing_arena;

  /// Returns the bytes that all of the above hold.
  std::size_t bytes() const;
  /// Frees slots and kept inputs; both are made again when they are wanted.
  void free_buffers();

 private:
  const Task& task_;
  const Case& case_;
  CaseBaseline baseline_;
  std::array<SecretSets, 3> sets_;
  std::shared_ptr<const verifier::InputStream> stream_;
  std::uint64_t used_ = 0;  // instances of the stream
};

/// Returns the seconds after which one call counts as hung: 50 times the reference, at least 2 s and at most
/// `call_limit`; but never below five times the reference.
double limit_for(const PreparedCase& prepared_case, double call_limit);

/// A task with its cases.
class PreparedTask {
 public:
  /// Compiles the reference. `secret` seeds all that candidates must not know. `backend` must outlive it.
  /// Throws BadInput naming the task.
  PreparedTask(Task task, std::uint64_t secret, Backend& backend);
  PreparedTask(const PreparedTask&) = delete;  // its cases refer to its task
  PreparedTask& operator=(const PreparedTask&) = delete;

  const Task& task() const { return task_; }
  const verifier::Reference& reference() const { return *reference_; }
  Random& random() { return random_; }
  Backend& backend() const { return backend_; }
  std::vector<std::unique_ptr<PreparedCase>>& cases() { return cases_; }
  /// Returns the case of that name; null if there is none. Owned by the task.
  PreparedCase* find(const std::string& name);
  /// Returns the seconds of the slowest kept baseline; 0 if there is none.
  double longest_baseline() const;

  /// Returns the runner of a module's reference. None exists until the task is timed.
  TaskReferenceRunner& reference_runner() { return reference_runner_; }
  const TaskReferenceRunner& reference_runner() const { return reference_runner_; }

  /// Draws the secret sets that the first candidate would wait for. A task that needs streaming keeps none,
  /// so only its reference is made ready. Throws as Reference::run.
  void make_ready(bool hidden_cases);
  /// Draws the next input set anew, in turn over all, unless drawing it takes more than `most_seconds`.
  void renew_one(double most_seconds);
  /// Returns whether a case is so large that little may be kept beside it (DeviceMemory::needs_streaming).
  bool needs_streaming() const;
  /// Frees the buffers of the cases that need streaming.
  void free_streaming_buffers();
  /// Frees all timing arenas; the next candidate has them made again.
  void drop_slots();
  /// Returns the bytes that all cases hold.
  std::size_t bytes() const;

 private:
  Task task_;
  Backend& backend_;
  std::unique_ptr<const verifier::Reference> reference_;
  Random random_;
  std::vector<std::unique_ptr<PreparedCase>> cases_;
  TaskReferenceRunner reference_runner_;
  std::size_t renewed_ = 0;  // input sets, over all cases
};

}  // namespace ridgeline::judge
