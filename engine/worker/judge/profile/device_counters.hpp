// Reads hardware counters of a candidate on a GPU: a fresh runner makes the same calls again, pass after
// pass, on buffers that are filled anew and flushed from the caches each time.
//
// The candidate could write all that comes back. It is bounded and copied (sheet_reader.hpp), compared with
// what the judge knows elsewhere (core/counter_doubts.hpp), and never decides anything. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/worker/judge/arenas/memory_file.hpp"
#include "engine/worker/judge/profile/kernel_time.hpp"
#include "engine/worker/judge/profile/sheet_reader.hpp"
#include "engine/worker/judge/runners/call_allowance.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/runner/counter_sheet.hpp"
#include "profiler/device_metrics.hpp"

namespace ridgeline::judge {

/// How many calls and launches of a pass have room on the sheet.
enum class Rows {
  few,  ///< runner::kFewCalls and kFewLaunches: a session that opens in half the time
  many  ///< all that a sheet holds
};

/// Configurations of the chip's counters, by set of metrics. The first runner of a set makes one, later
/// runners get it: making one takes long. Lives as long as the judge.
class CounterConfigs {
 public:
  /// Makes a sheet that asks for `set`, with the configuration if there is one.
  MemoryFile sheet_for(profiler::MetricSet set, Rows rows) const;
  /// Keeps the configuration that a runner wrote onto `sheet` before its candidate was loaded. No-op if there
  /// is one.
  void keep(profiler::MetricSet set, const MemoryFile& sheet);

  /// Returns the passes that the set takes; 0 before there is a configuration.
  std::uint32_t passes(profiler::MetricSet set) const { return at(set).passes; }
  /// Returns the names of metrics that this chip does not have, over all sets.
  std::vector<std::string> unknown() const;

 private:
  struct Config {
    std::vector<std::uint8_t> image;
    std::uint32_t passes = 0;
    std::vector<std::uint8_t> unknown;  // for each metric of the set
  };
  const Config& at(profiler::MetricSet set) const { return configs_[static_cast<std::size_t>(set)]; }

  std::array<Config, std::size(profiler::metric_sets)> configs_;  // for each MetricSet
};

/// The counting runner of one candidate. Order of calls: the constructor, `await_opening` if it suits,
/// `load`, `count`. An error makes `why_not` a sentence; after one, nothing more is counted and nothing
/// throws.
class DeviceCounters {
 public:
  /// Takes a runner of `kind` from the pool, lets it prepare the counters of `set`, and begins to open the
  /// first pass. `runners` and `configs` must outlive this.
  DeviceCounters(RunnerPool& runners, CounterConfigs& configs, profiler::MetricSet set, RunnerKind kind,
                 Rows rows = Rows::many);
  DeviceCounters(const DeviceCounters&) = delete;  // retires its runner once
  DeviceCounters& operator=(const DeviceCounters&) = delete;
  /// Retires its runner.
  ~DeviceCounters();

  /// Returns whether the first pass is still being opened.
  bool opening() const { return opening_; }
  /// Waits until it is open. No-op if it is.
  void await_opening();
  /// Waits until the first pass is open, and loads the candidate. `call_limit`: seconds that a call may take.
  void load(const std::filesystem::path& artefact, const Task& task, double call_limit);

  /// Counts one call of each case, and returns them in the cases' order. Their timing arenas must exist.
  /// Nothing else may use the device meanwhile, since bytes are counted at its memory. More than kMaxCalls /
  /// 2 cases are too many: `why_not` of each then says so. A few calls more of what was counted tell the
  /// kernels' own time; the counters stand whatever comes of these.
  std::vector<CountedCall> count(PreparedTask& prepared, std::span<PreparedCase* const> cases);

  /// Returns whether this counts `set` with a runner of `kind`, and has room for `rows`.
  bool serves(RunnerKind kind, profiler::MetricSet set, Rows rows = Rows::few) const {
    return kind == kind_ && set == set_ && rows <= rows_;
  }
  /// Returns whether `count` counted nothing because it has few rows, and these calls need more.
  bool wants_many_rows() const { return wants_many_rows_; }
  /// Returns whether its runner still waits for orders.
  bool alive() const { return runner_ && runner_->alive(); }
  /// Returns why nothing can be counted; "" if nothing went wrong.
  const std::string& why_not() const { return why_not_; }
  /// Returns whether the runner empties the L2 before each counted call.
  bool empties_l2() const { return empties_l2_; }

 private:
  using Cases = std::span<PreparedCase* const>;
  bool map(PreparedCase& prepared_case);
  bool refill(PreparedTask& prepared, PreparedCase& prepared_case);
  /// Calls the case uncounted. Returns whether the call is one launch of a kernel and nothing else; empty
  /// after an error. `when` names the call in `why_not`.
  std::optional<bool> survey(PreparedTask& prepared, PreparedCase& prepared_case, const char* when);
  bool pass(PreparedTask& prepared, Cases cases, bool open);
  bool run_passes(PreparedTask& prepared, Cases cases);
  bool survey_again(PreparedTask& prepared, Cases cases);
  /// Returns whether all calls and launches have room. `launched`: of one pass, as surveyed.
  bool has_room(std::size_t launched) const;
  /// Calls the case again, uncounted, after the report. `rows`: what was counted of its call.
  void add_kernel_time(PreparedTask& prepared, PreparedCase& prepared_case, const SheetRows& rows,
                       CountedCall& counted);
  KernelTime time_kernels(PreparedTask& prepared, PreparedCase& prepared_case, const SheetRows& rows);
  bool succeeded(const RunnerAnswer& answer, const char* when);
  /// The set's number in orders to the runner.
  std::uint32_t number() const { return static_cast<std::uint32_t>(set_); }

  RunnerPool& runners_;
  CounterConfigs& configs_;
  std::unique_ptr<RunnerProcess> runner_;
  std::optional<MemoryFile> sheet_;
  const PreparedCase* mapped_ = nullptr;
  std::vector<PassCall> counts_;        // the calls of each pass, in order
  std::vector<std::size_t> not_alone_;  // cases whose call was one launch at first, and was not later
  bool empties_l2_ = false, opening_ = false, wants_many_rows_ = false;
  double call_limit_ = 0;
  CallAllowance allowance_{0};  // for the surveys, which are the candidate's first calls
  profiler::MetricSet set_;
  RunnerKind kind_;
  Rows rows_;
  std::string why_not_;
};

}  // namespace ridgeline::judge
