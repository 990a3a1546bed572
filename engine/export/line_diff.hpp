// Differences between two texts, line by line (Myers 1986, "An O(ND) Difference Algorithm").
#pragma once

#include <string>
#include <vector>

namespace ridgeline::exporting {

enum class LineChange { same, removed, added };

struct DiffLine {
  LineChange change = LineChange::same;
  std::string text;
};

struct LineDiff {
  std::vector<DiffLine> lines;
  int before = 0;  ///< lines of the first text
  int after = 0;   ///< of the second
  int same = 0;
  int blocks = 0;  ///< runs of equal kind, a replacement counting once (as difflib's opcodes)

  /// Twice the equal lines over all lines, as difflib's ratio; 1 for two empty texts.
  double similarity() const;
};

LineDiff diff_lines(const std::string& before, const std::string& after);

/// Unified format with three lines of context; "" for equal texts.
std::string unified(const LineDiff& diff, const std::string& before_name, const std::string& after_name);

}  // namespace ridgeline::exporting
