// A verdict in one line.
#pragma once

#include <string>

#include "engine/core/verdict.hpp"

namespace ridgeline::history {

/// "correct, 1.31x (1.28..1.35)", "fails correctness: wrong_values: …".
std::string verdict_line(const Verdict& verdict);

}  // namespace ridgeline::history
