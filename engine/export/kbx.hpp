// The figures of one side of a transition by KernelBench-X's definitions, for both forms of its lines.
#pragma once

#include <optional>
#include <string>

#include "engine/export/formats.hpp"

namespace ridgeline::exporting {

struct KbxSide {
  // KernelBench-X's three gates: the call runs, its outputs are right, its time was measured.
  bool call = false, execution = false, performance = false;
  std::string dtype;           ///< of the task's first tensor; "" if it has none
  double runtime_ms = 0;       ///< sum of cold medians; 0 unless `performance`
  double speedup = 0;          ///< 0 unless `performance`
  bool placed = false;         ///< whether the next two are known
  double gbs = 0, tflops = 0;  ///< over the roofline's bytes and operations
  std::string error;           ///< "" if the candidate is correct
};

/// Returns KernelBench-X's name of a task, "Math/erf.py": native tasks go by its names; those of a clone bear
/// the category in front of the file's name ("Math_erf").
std::string kbx_file(const store::TrajectoryRecord& trajectory);

/// Returns the figures of an evaluated attempt, without what hidden cases showed.
KbxSide kbx_side(const TaskTrajectories& task, const store::AttemptRecord& attempt);

}  // namespace ridgeline::exporting
