// The target half of CUPTI's Range Profiler: counts what the device does for this process between two
// points, pass after pass. It uses user replay: the caller repeats the same work in every pass.
//
// One object a process, since CUPTI allows one. While it lives the device counts, and launches cost more.
// Needs a current context; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/cupti.hpp"

namespace ridgeline::cuda {

/// Order of calls: configure; then begin_pass, ranges, end_pass until that returns true; then decode.
class RangeProfiler {
 public:
  /// Enables counting on the current context. Throws CuptiRefused: privileges, another profiler, a device
  /// that cannot count.
  explicit RangeProfiler(const Cupti& cupti);
  RangeProfiler(const RangeProfiler&) = delete;  // it owns a library's object
  RangeProfiler& operator=(const RangeProfiler&) = delete;
  ~RangeProfiler();

  /// Sets what the next passes count. `config` (of a MetricHost) must live until the next call of this. At
  /// most `most_ranges` ranges a pass are kept. Takes about 50 ms, and 200 ms more for the first pass under
  /// a changed `config`.
  void configure(std::span<const std::uint8_t> config, std::span<const std::string> metrics,
                 std::size_t most_ranges);
  /// Starts a pass. Throws CuptiRefused.
  void begin_pass();
  /// Starts a range within the pass. Ranges follow one another, each with its own name, in the same order in
  /// every pass.
  void begin_range(const char* name);
  void end_range();
  /// Ends the pass; all its kernels must be over. Returns true if no more passes are needed.
  bool end_pass();

  /// Combines the counts of all passes.
  struct CounterData {
    std::span<const std::uint8_t> image;  ///< for MetricHost::evaluate; valid until the next `configure`
    std::vector<std::string> ranges;      ///< the names of the ranges, in the order of their numbers
  };
  /// Collects what was counted; call it after the last pass.
  CounterData decode();

 private:
  void enable();
  void disable();
  void apply_config();
  CUptiResult start();
  std::string name_of(std::size_t range) const;

  const Cupti& cupti_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  std::optional<std::span<const std::uint8_t>> config_;
  bool fresh_ = false;  // nothing was counted since `enable`
  std::size_t most_ranges_ = 0;
  std::vector<std::uint8_t> counted_;
};

}  // namespace ridgeline::cuda
