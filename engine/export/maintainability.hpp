// Maintainability index and cyclomatic complexity of C-family sources, from tokens alone.
//
// Index: 171 - 5.2 ln V - 0.23 G - 16.2 ln L + 50 sin(sqrt(2.4 C)), scaled to 0..100 and cut there, with
// Halstead's volume V, complexity G, source lines L and the share of comment lines C in radians: the formula
// that radon uses (https://radon.readthedocs.io/en/latest/intro.html), so that figures stand on
// KernelBench-X's scale. radon counts Python's syntax tree; here operators are punctuators and keywords,
// operands are names and literals, so figures compare among C-family sources only.
#pragma once

#include <optional>
#include <string>

#include "engine/core/candidate.hpp"

namespace ridgeline::exporting {

struct Maintainability {
  double index = 0;    ///< 0 (bad) to 100
  int complexity = 1;  ///< 1 + branches: if, for, while, case, catch, ?, &&, ||
};

/// nullopt for Python: its figures would be of another kind.
std::optional<Maintainability> maintainability(const std::string& source, Language language);

}  // namespace ridgeline::exporting
