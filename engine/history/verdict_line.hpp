// Describes a verdict in one line, and what a reader must know to believe it.
#pragma once

#include <string>
#include <vector>

#include "engine/core/verdict.hpp"

namespace ridgeline::history {

/// Returns one line: "correct, 1.31x (1.28..1.35)", "fails correctness: wrong_values: …".
std::string verdict_line(const Verdict& verdict);

/// Returns flags and notes, a line each; mostly none: "suspicion: operations over peak (1.7x)", "note: …".
std::vector<std::string> remark_lines(const Verdict& verdict);

/// Returns how long the kernels of a case's call ran, as the candidate's process claims, beside the call's
/// time: "kernel's own time 12.3 us, claimed (call 14.6 us)". "" where that was not recorded.
std::string kernel_time_line(const Roofline& roofline);

}  // namespace ridgeline::history
