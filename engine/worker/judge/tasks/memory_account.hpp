// Who held how much of a device's memory at most, stage by stage: what a verdict says of a task that fills
// the device. Plain sums, without I/O. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "engine/core/verdict.hpp"

namespace ridgeline::judge {

/// Bytes of a device at one moment.
struct MemoryLook {
  double judge = 0;    ///< tensors, buffers and caches of the judge
  double oracle = 0;   ///< tensors of the process that runs the reference
  double runners = 0;  ///< all else that is taken: runners of candidates and baselines, and contexts
};

class MemoryAccount {
 public:
  /// Begins a candidate: forgets everything.
  void begin();
  /// What is seen from here on belongs to `stage`.
  void enter(Stage stage) { stage_ = stage; }
  void saw(const MemoryLook& now);
  /// "correctness: judge 30.1, oracle 6.0, runners 7.2, together 41.0 GiB; timing: …"; "" if nothing was
  /// seen. Each figure is the most of its own, so that they need not add up.
  std::string text() const;

 private:
  struct Most {
    MemoryLook each;
    double together = 0;
  };
  Stage stage_ = Stage::call;
  std::array<Most, enum_names(Stage{}).size()> most_;  // by stage
};

}  // namespace ridgeline::judge
