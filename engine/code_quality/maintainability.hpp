// Computes the maintainability index and cyclomatic complexity of C-family sources from their tokens.
//
// Index: 171 - 5.2 ln V - 0.23 G - 16.2 ln L + 50 sin(sqrt(2.4 C)), scaled to 0..100 and clamped, with
// Halstead's volume V, complexity G, source lines L and the share of comment lines C in radians. That is
// radon's formula (https://radon.readthedocs.io/en/latest/intro.html), so figures are on KernelBench-X's
// scale. radon counts nodes of Python's syntax tree; here operators are punctuators and keywords, and
// operands are names and literals, so figures compare among C-family sources only.
#pragma once

#include <optional>
#include <string>

#include "engine/core/candidate.hpp"

namespace ridgeline::code_quality {

/// Both figures of a source.
struct Maintainability {
  double index = 0;    ///< 0 (bad) to 100
  int complexity = 1;  ///< 1 + branches: if, for, while, case, catch, ?, &&, ||
};

/// Returns the figures; nullopt for Python, whose figures would not be comparable.
std::optional<Maintainability> maintainability(const std::string& source, Language language);

}  // namespace ridgeline::code_quality
