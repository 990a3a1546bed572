// Compares two texts line by line as Python's difflib does (Ratcliff and Obershelp 1988), whose figures stand
// in KernelBench-X's corpus. line_diff.hpp finds shorter differences, hence other figures.
#pragma once

#include <string>

namespace ridgeline::exporting {

/// The figures of difflib.SequenceMatcher(None, a, b) over lines.
struct SequenceMatch {
  int lines_a = 0, lines_b = 0;
  double ratio = 1;  ///< twice the matching lines over all lines; 1 for two empty texts
  int opcodes = 0;   ///< runs that are equal, replaced, deleted or inserted
};

/// Compares two texts. Takes time in the square of their lines at worst, memory in their lines.
SequenceMatch match_sequences(const std::string& a, const std::string& b);

/// Returns difflib.unified_diff over lines with their ends, three lines of context: "" for equal texts. A
/// last line without an end stays without one.
std::string unified_by_sequences(const std::string& a, const std::string& b, const std::string& name_a,
                                 const std::string& name_b);

}  // namespace ridgeline::exporting
