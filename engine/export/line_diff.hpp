// Finds the differences of two texts, line by line (Myers 1986, "An O(ND) Difference Algorithm").
#pragma once

#include <string>
#include <vector>

namespace ridgeline::exporting {

enum class LineChange { same, removed, added };

/// A line of a difference, without its line end.
struct DiffLine {
  LineChange change = LineChange::same;
  std::string text;
};

/// A difference of two texts.
struct LineDiff {
  std::vector<DiffLine> lines;
  int before = 0;  ///< lines in the first text
  int after = 0;   ///< lines in the second text
  int same = 0;    ///< of `lines`, those that are the same
  /// Runs of equal lines and runs of changed lines, which take turns. Lines removed and added next to each
  /// other are one run, as with difflib's opcodes.
  int blocks = 0;

  /// Returns twice the equal lines over all lines, as difflib's ratio; 1 for two empty texts.
  double similarity() const;
};

/// Compares two texts. If more than 4000 lines are removed or added, what comes then counts as replaced,
/// since a longer search would take gigabytes. A last line without a line end counts as a line, and equals
/// one that has it.
LineDiff diff_lines(const std::string& before, const std::string& after);

/// Returns a difference in the unified format with three lines of context, without colours; "" if no line
/// differs.
std::string unified(const LineDiff& diff, const std::string& before_name, const std::string& after_name);

}  // namespace ridgeline::exporting
