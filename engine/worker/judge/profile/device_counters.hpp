// Hardware counters of a candidate on a GPU: a fresh runner that counts, the same calls again, pass after
// pass, on buffers filled anew and out of the caches each time.
//
// All that comes back was under the candidate's hands. It is bounded and copied here, held against what the
// judge knows elsewhere (core/counter_doubts.hpp), and never decides anything. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"
#include "engine/worker/judge/arenas/memory_file.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/runner/counter_sheet.hpp"
#include "profiler/device_metrics.hpp"

namespace ridgeline::judge {

/// What was counted of one call, or why nothing was.
struct CountedCall {
  std::vector<Counter> counters;
  std::vector<KernelLaunch> launches;  ///< in their order; their theoretical occupancy is not yet filled in
  std::string why_not;                 ///< "" where something was counted
};

/// What the chip is told to count: made by the first runner, then handed to each. Lives as long as the judge.
class CounterConfigs {
 public:
  /// A sheet that asks for `set`, with the configuration where one was made.
  MemoryFile sheet_for(profiler::MetricSet set) const;
  /// Keeps the configuration that a runner wrote, before its candidate was loaded.
  void keep(profiler::MetricSet set, const MemoryFile& sheet);

  std::uint32_t passes(profiler::MetricSet set) const { return at(set).passes; }
  /// Metrics that this chip does not have.
  std::vector<std::string> unknown() const;

 private:
  struct Config {
    std::vector<std::uint8_t> image;
    std::uint32_t passes = 0;
    std::vector<std::uint8_t> unknown;  // of each metric
  };
  const Config& at(profiler::MetricSet set) const { return configs_[static_cast<std::size_t>(set)]; }

  std::array<Config, std::size(profiler::metric_sets)> configs_;  // of each MetricSet
};

/// One candidate's counting runner. Every trouble is a sentence; after one, nothing more is counted.
class DeviceCounters {
 public:
  /// Takes a runner of `kind`, has it prepare the counters of `set` and begin to open the first pass.
  DeviceCounters(RunnerPool& runners, CounterConfigs& configs, profiler::MetricSet set, RunnerKind kind);
  DeviceCounters(const DeviceCounters&) = delete;  // retires its runner once
  DeviceCounters& operator=(const DeviceCounters&) = delete;
  ~DeviceCounters();

  /// Whether the pass is still being opened.
  bool opening() const { return opening_; }
  void await_opening();
  /// Waits until that pass is open. `call_limit`: seconds that a call may take.
  void load(const std::filesystem::path& artefact, const Task& task, double call_limit);

  /// Of each case, in their order; their timing arenas must be there. Nothing else may use the device
  /// meanwhile: bytes are counted at its memory. More than kMaxCalls / 2 are too many, and told so.
  std::vector<CountedCall> count(PreparedTask& prepared, std::span<PreparedCase* const> cases);

  bool serves(RunnerKind kind, profiler::MetricSet set) const { return kind == kind_ && set == set_; }
  /// Whether its runner still waits for orders.
  bool alive() const { return runner_ && runner_->alive(); }
  /// Why nothing can be counted; "" as long as all goes well.
  const std::string& why_not() const { return why_not_; }
  /// Whether the runner empties the L2 within each pass.
  bool swept() const { return swept_; }

 private:
  using Cases = std::span<PreparedCase* const>;
  /// What a sheet tells of one case.
  struct Seen {
    std::optional<profiler::MetricValues> call;
    std::vector<std::pair<runner::SheetLaunch, profiler::MetricValues>> launches;
    std::uint32_t launched = 0;  ///< also those that are not told apart
    std::string why_not;
  };
  CountedCall told_of(const PreparedCase& one, const Seen& seen) const;
  bool map(PreparedCase& one);
  bool refill(PreparedTask& prepared, PreparedCase& one);
  /// Calls the case uncounted: whether that is one launch of a kernel and nothing else, if all goes well.
  std::optional<bool> survey(PreparedTask& prepared, PreparedCase& one, const char* when);
  bool pass(PreparedTask& prepared, Cases cases, bool open);
  bool run_passes(PreparedTask& prepared, Cases cases);
  bool survey_again(PreparedTask& prepared, Cases cases);
  bool good(const RunnerAnswer& answer, const char* when);
  std::vector<Seen> rows_of(std::size_t cases) const;

  /// One call of a pass: of which case, and whether each launch is counted by itself.
  struct Counted {
    std::size_t at_case = 0;  ///< of those that are counted
    bool by_launch = false;
    bool alone = false;  ///< that launch is the whole call, by a look before the passes and one after them
  };
  /// What the runner calls the set.
  std::uint32_t number() const { return static_cast<std::uint32_t>(set_); }

  RunnerPool& runners_;
  CounterConfigs& configs_;
  std::unique_ptr<RunnerProcess> runner_;
  std::optional<MemoryFile> sheet_;
  const PreparedCase* mapped_ = nullptr;
  std::vector<Counted> counts_;         // of each pass, in order
  std::vector<std::size_t> not_alone_;  // cases that were at first
  bool swept_ = false, opening_ = false;
  double call_limit_ = 0;
  profiler::MetricSet set_;
  RunnerKind kind_;
  std::string why_not_;
};

}  // namespace ridgeline::judge
