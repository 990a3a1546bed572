// The target half of CUPTI's Range Profiler: counts what the kernels of this process do between two points of
// it, one pass after another, in user replay: whoever calls sees to it that every pass does the same work.
//
// One object a process: CUPTI takes one. While it lives, the context's device counts and its launches are
// dearer. A current context is needed; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/cupti.hpp"

namespace ridgeline::cuda {

enum class Ranges {
  call,    ///< from each `begin_range` to its `end_range`, however many kernels are between them
  kernels  ///< one range for each kernel, in the order of launches; kernels no longer overlap
};

class RangeProfiler {
 public:
  /// On the current context. Throws CuptiRefused: privileges, another profiler, a device that cannot.
  explicit RangeProfiler(const Cupti& cupti);
  RangeProfiler(const RangeProfiler&) = delete;  // it owns a library's object
  RangeProfiler& operator=(const RangeProfiler&) = delete;
  ~RangeProfiler();

  /// What the passes to come count. `config` (of a MetricHost) must live until the next call of this; at most
  /// `most_ranges` ranges a pass are kept. Another kind of ranges than before, and the first, cost a fifth of
  /// a second: count all of one kind, then all of the other.
  void configure(std::span<const std::uint8_t> config, std::span<const std::string> metrics, Ranges ranges,
                 std::size_t most_ranges);
  void begin_pass();
  /// Within a pass, one after another, in every pass the same. Where each kernel is a range they do nothing.
  void begin_range(const char* name);
  void end_range();
  /// All kernels of the pass must be over. True: no more passes are needed.
  bool end_pass();

  struct Counted {
    std::span<const std::uint8_t> image;  ///< for MetricHost::evaluate; until the next `configure`
    std::size_t ranges = 0;
    std::size_t dropped = 0;  ///< beyond most_ranges
  };
  /// After the last pass.
  Counted decode();

 private:
  void enable();
  void disable();
  void lay_out(CUpti_ProfilerReplayMode replay);
  CUptiResult start();

  const Cupti& cupti_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  std::span<const std::uint8_t> config_;
  std::optional<Ranges> ranges_;
  bool fresh_ = false;  // nothing was counted since it was enabled
  std::size_t most_ranges_ = 0;
  std::vector<std::uint8_t> counted_;
};

}  // namespace ridgeline::cuda
