// Who held how much of a device's memory at most, stage by stage: what a verdict says of a task that fills
// the device. Plain sums, without I/O. One thread.
#pragma once

#include <array>
#include <vector>

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
  /// The stages in which something was seen, for the verdict.
  std::vector<StageMemory> stages() const;

 private:
  Stage stage_ = Stage::call;
  std::array<StageMemory, enum_names(Stage{}).size()> most_;  // by stage
};

}  // namespace ridgeline::judge
