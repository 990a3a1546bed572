// Opens a counted pass ahead of the candidate that it will count, while something else is done: opening a
// first pass takes a quarter of a second, or nearly half a second beside a runner that ends
// (docs/measurements.md), and an open pass changes nothing in what other processes take
// (docs/decisions/cupti-counters.md).
//
// One at a time: the device's counters serve one process. One thread.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "engine/worker/judge/profile/device_counters.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"

namespace ridgeline::judge {

class CountersAhead {
 public:
  explicit CountersAhead(RunnerPool& runners) : runners_(runners) {}

  /// What is opened from now on is for a candidate of the task with this hash. A session has few rows, which
  /// opens in half the time, unless a candidate of the task wanted more.
  void expect(const std::string& task) { rows_ = want_many_.contains(task) ? Rows::many : Rows::few; }
  /// Candidates of the task need all rows from now on.
  void expect_many_rows(const std::string& task) {
    want_many_.insert(task);
    rows_ = Rows::many;
  }

  /// Begins to open the first pass of `set` in a runner of `kind`. No-op if that pass is open or being opened
  /// already; a pass of another set or kind is given up.
  void begin(RunnerKind kind, profiler::MetricSet set);
  /// Whether a pass is being opened.
  bool opening() const { return ready_ && ready_->opening(); }
  /// Waits until no pass is being opened any more.
  void await_opening();
  /// Gives up the pass that is open or being opened; its runner is retired.
  void give_up() { ready_.reset(); }

  /// Hands out a runner whose pass is open, or that says why it cannot be opened.
  std::unique_ptr<DeviceCounters> take(RunnerKind kind, profiler::MetricSet set);
  const CounterConfigs& configs() const { return configs_; }

 private:
  RunnerPool& runners_;
  CounterConfigs configs_;
  std::set<std::string> want_many_;  // hashes of tasks
  Rows rows_ = Rows::few;
  std::unique_ptr<DeviceCounters> ready_;
};

}  // namespace ridgeline::judge
