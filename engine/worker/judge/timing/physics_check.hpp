// Decides whether this machine allows the time that a case was measured at. Plain numbers: no clock, no
// verdict.
#pragma once

#include <string>
#include <variant>

#include "engine/core/roofline.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::judge {

/// Nothing speaks against the time.
struct Plausible {};
/// The case's bytes cannot be moved within the time: the calls did not do their work.
struct BelowFloor {
  double floor = 0;  ///< seconds that moving them takes at least (physics_floor in core/roofline.hpp)
  double bytes = 0;  ///< bytes that the task says a call moves
};
/// The time is possible, but holds more operations than the machine does. That only flags: an algorithm may
/// need fewer operations than the task counts.
struct AbovePeak {
  double ratio = 0;  ///< operations a second over the peak; above 1.5
};
/// Returns the flag's text: "operations over peak (1.7x): …", and what may be behind it. Stored verdicts and
/// who reads them know it by what stands before the colon.
std::string describe(const AbovePeak& excess);
using PhysicsCheck = std::variant<Plausible, BelowFloor, AbovePeak>;

/// Checks `seconds` a call of `shape`, a case of `task`. `bandwidth`: bytes a second that no honest kernel
/// exceeds.
PhysicsCheck check_physics(const Task& task, const Case& shape, double seconds, const Ceilings& ceilings,
                           double bandwidth);

}  // namespace ridgeline::judge
