// The target half of CUPTI's Range Profiler: counts what the device does for this process between two points
// of it, one pass after another, in user replay: whoever calls sees to it that every pass does the same work.
//
// One object a process: CUPTI takes one. While it lives, the context's device counts and its launches are
// dearer. A current context is needed; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/cupti.hpp"

namespace ridgeline::cuda {

class RangeProfiler {
 public:
  /// On the current context. Throws CuptiRefused: privileges, another profiler, a device that cannot.
  explicit RangeProfiler(const Cupti& cupti);
  RangeProfiler(const RangeProfiler&) = delete;  // it owns a library's object
  RangeProfiler& operator=(const RangeProfiler&) = delete;
  ~RangeProfiler();

  /// What the passes to come count. `config` (of a MetricHost) must live until the next call of this; at most
  /// `most_ranges` ranges a pass are kept. Takes some 50 ms, and the first pass of another `config` than
  /// before 200.
  void configure(std::span<const std::uint8_t> config, std::span<const std::string> metrics,
                 std::size_t most_ranges);
  void begin_pass();
  /// Within a pass, one after another, each of a name of its own, in every pass the same.
  void begin_range(const char* name);
  void end_range();
  /// All kernels of the pass must be over. True: no more passes are needed.
  bool end_pass();

  struct Counted {
    std::span<const std::uint8_t> image;  ///< for MetricHost::evaluate; until the next `configure`
    std::vector<std::string> ranges;      ///< their names
  };
  /// After the last pass.
  Counted decode();

 private:
  void enable();
  void disable();
  void lay_out();
  CUptiResult start();
  std::string name_of(std::size_t range) const;

  const Cupti& cupti_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  std::optional<std::span<const std::uint8_t>> config_;
  bool fresh_ = false;  // nothing was counted since it was enabled
  std::size_t most_ranges_ = 0;
  std::vector<std::uint8_t> counted_;
};

}  // namespace ridgeline::cuda
