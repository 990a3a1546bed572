// Measures how maintainable kernels are: radon's figures of Python, and ours of C-family sources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"

namespace ridgeline::code_quality {

/// Figures of one source, which compare among sources of one syntax only.
struct CodeFigures {
  double index = 0;            ///< maintainability, 0 (bad) to 100
  double mean_complexity = 0;  ///< cyclomatic, over functions and classes; C-family: of the whole source
  double most_complexity = 0;  ///< of a function or class; C-family: of the whole source
};

/// Figures in the order of the sources.
struct Measured {
  std::vector<std::optional<CodeFigures>> figures;  ///< none: radon cannot read it, or did not answer
  /// That the Python has no radon, or how its process failed; and how to mend it. Else "".
  std::string why_no_python_figures;
};

/// Asks radon once for all Python sources, in a process of the user's Python (RIDGELINE_PYTHON); C-family
/// sources are counted here (maintainability.hpp). Sources are not run. A millisecond or some a source.
/// Throws MachineCannot if there are Python sources and that Python cannot be started, or no file in memory
/// can hold them.
Measured measure(const std::vector<Candidate>& sources);

}  // namespace ridgeline::code_quality
