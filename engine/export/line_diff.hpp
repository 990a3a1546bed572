// Finds the differences of two texts, line by line (Myers 1986, "An O(ND) Difference Algorithm").
#pragma once

#include <string>
#include <vector>

namespace ridgeline::exporting {

enum class LineChange { same, removed, added };

/// A line of a difference.
struct DiffLine {
  LineChange change = LineChange::same;
  std::string text;
};

/// A difference of two texts.
struct LineDiff {
  std::vector<DiffLine> lines;
  int before = 0;  ///< lines in the first text
  int after = 0;   ///< lines in the second text
  int same = 0;    ///< lines in both
  int blocks = 0;  ///< runs of lines of one kind; a replacement counts once (as difflib's opcodes)

  /// Returns twice the equal lines over all lines, as difflib's ratio; 1 for two empty texts.
  double similarity() const;
};

/// Compares two texts.
LineDiff diff_lines(const std::string& before, const std::string& after);

/// Writes a difference in the unified format with three lines of context; "" for equal texts.
std::string unified(const LineDiff& diff, const std::string& before_name, const std::string& after_name);

}  // namespace ridgeline::exporting
