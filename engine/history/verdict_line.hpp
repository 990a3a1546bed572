// A verdict in one line, and what else must be known to believe it.
#pragma once

#include <string>
#include <vector>

#include "engine/core/verdict.hpp"

namespace ridgeline::history {

/// "correct, 1.31x (1.28..1.35)", "fails correctness: wrong_values: …".
std::string verdict_line(const Verdict& verdict);

/// "suspicion: operations over peak (1.7x)", "note: …": a line each, mostly none.
std::vector<std::string> remark_lines(const Verdict& verdict);

}  // namespace ridgeline::history
