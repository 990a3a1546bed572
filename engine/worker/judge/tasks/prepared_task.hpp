// What the judge knows of a task, made once and kept over its candidates: the compiled reference, secret
// inputs with their expected outputs, pools of fresh inputs for timing, and the baseline.
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
#include "engine/worker/judge/tasks/secret_sets.hpp"

namespace ridgeline::judge {

inline constexpr std::array kInputSets{InputSet::standard, InputSet::outlier, InputSet::edge};

class PreparedCase {
 public:
  PreparedCase(const Task& task, const Case& one);

  const Case& definition() const { return case_; }
  SecretSets& sets(InputSet set) { return sets_[static_cast<std::size_t>(set)]; }
  /// Seconds that drawing a set with its expectation takes: the least of those drawn, since the first also
  /// waits for what starts once. 0 before.
  double expectation_seconds() const;

  /// A fresh instance of the standard distribution; the pool is drawn anew before it could repeat one.
  Instance next_instance(const verifier::Reference& reference, Random& random);

  /// Seconds that the reference takes in the task's dtype, a rough figure; 0 before the first run.
  double reference_seconds = 0;
  std::optional<Duration> baseline;  ///< cold
  double hot_bytes = 0;              ///< that the last hot calls went round over
  bool baseline_confirmed = false;   ///< a later look found it no shorter than it was measured
  /// Kept between candidates because filling fresh pages costs more than measuring: every slot is written
  /// over before a runner is told of it, and no instance of inputs comes twice.
  std::unique_ptr<Arena> timing_arena;

  std::size_t bytes() const;
  /// Slots and pooled inputs; both are made again when they are wanted.
  void give_back();

 private:
  const Task& task_;
  const Case& case_;
  std::array<SecretSets, 3> sets_;
  std::shared_ptr<const verifier::InputPool> pool_;
  std::uint64_t used_ = 0;
};

/// Seconds that one call may take before it counts as hung: `call_limit` at most, unless the reference itself
/// takes a good part of that.
double limit_for(const PreparedCase& one, double call_limit);

class PreparedTask {
 public:
  /// Compiles the reference. Throws BadInput naming the task.
  PreparedTask(Task task, std::uint64_t secret, Backend& backend);
  PreparedTask(const PreparedTask&) = delete;  // its cases refer to its task
  PreparedTask& operator=(const PreparedTask&) = delete;

  const Task& task() const { return task_; }
  const verifier::Reference& reference() const { return *reference_; }
  Random& random() { return random_; }
  Backend& backend() const { return backend_; }
  std::vector<std::unique_ptr<PreparedCase>>& cases() { return cases_; }
  /// Null where there is none of that name.
  PreparedCase* find(const std::string& name);
  /// Seconds; 0 where none is known.
  double longest_baseline() const;

  /// Of a module: its reference as a candidate, for the baseline under the very same conditions. None until
  /// it is timed for the first time, and of the task judged last alone.
  std::unique_ptr<RunnerProcess> reference_runner;
  bool has_reference_runner() const;  ///< and it lives
  bool reference_called = false;      ///< the first calls of reference_runner are over
  std::string reference_end;          ///< what ended the one before, in words; "" where nothing did

  /// Draws what the first candidate would wait for. Nothing is kept of a streaming task: its reference alone is
  /// made ready. Throws as Reference::run.
  void make_ready(bool hidden_cases);
  /// Draws one input set anew, in turn; of those that cost at most `most_seconds` to draw.
  void renew_one(double most_seconds);
  /// Whether a case is so large that little may be kept beside it (Backend::needs_streaming).
  bool needs_streaming() const;
  /// Of such cases slots and inputs go back.
  void give_back();
  /// Gives the timing arenas back; the next candidate has them made again.
  void drop_slots();
  std::size_t bytes() const;

 private:
  Task task_;
  Backend& backend_;
  std::unique_ptr<const verifier::Reference> reference_;
  Random random_;
  std::vector<std::unique_ptr<PreparedCase>> cases_;
  std::size_t renewed_ = 0;
};

}  // namespace ridgeline::judge
