// Measures torch.compile's times of the tasks that were answered correctly: the second baseline of modules.
//
// Each is measured once per task and device and kept in the store from campaign to campaign. Measuring one
// takes minutes of a worker, so requests are queued until `release`, which comes when the trajectories have
// ended. One thread, the campaign's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/compile_mode.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "engine/store/records.hpp"
#include "engine/store/writer.hpp"

namespace ridgeline::campaign {

/// Makes one record per timed case from the verdict on `task`'s compiled reference. Makes one record without
/// a time, with the reason, if the reference failed or its figures are flagged. Returns none if the machine
/// failed.
std::vector<store::BaselineRecord> compiled_baseline_records(const Task& task, const Verdict& verdict,
                                                             CompileMode mode, store::Milliseconds now);

class CompiledBaselines {
 public:
  /// All of them must outlive the object.
  struct Dependencies {
    evaluation::Evaluator& evaluator;
    store::Writer& writer;
    protocol::EvaluateSettings settings;
    std::function<store::Milliseconds()> now;
    std::function<void(const std::string&)> log;
  };

  /// Borrows `tasks`, which must outlive this object. `stored` are the store's baselines of any kind.
  CompiledBaselines(CompileMode mode, const std::vector<Task>& tasks,
                    const std::vector<store::BaselineRecord>& stored, Dependencies dependencies);

  /// Requests a measurement, unless the store has a time or it was requested before. Returns at once.
  void want(const Hash& task, const std::string& device);
  /// Starts the queued measurements, and from now on each at once.
  void release();

  /// Returns how many requested measurements have not come back.
  int waiting() const { return waiting_; }
  /// Returns how many measurements were handed to the evaluator and have not come back.
  int measuring() const { return waiting_ - static_cast<int>(queued_until_release_.size()); }
  /// Sets a function that is called each time `waiting` falls to 0.
  void when_done(std::function<void()> done) { done_ = std::move(done); }

 private:
  void measure(const Task& task, const std::string& device);
  void record_result(const Task& task, const std::string& device, Verdict verdict);
  void log_trouble(const Task& task, const std::string& device, const Verdict& verdict,
                   const std::vector<store::BaselineRecord>& records);

  CompileMode mode_;
  std::map<Hash, const Task*> tasks_;
  using TaskOnDevice = std::pair<Hash, std::string>;
  std::set<TaskOnDevice> wanted_or_timed_;  // never requested again in this run
  std::set<TaskOnDevice> timed_;            // the store has a time
  std::vector<std::pair<const Task*, std::string>> queued_until_release_;
  bool released_ = false;
  Dependencies dependencies_;
  std::function<void()> done_;
  int waiting_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // expires with this, for late verdicts
};

}  // namespace ridgeline::campaign
