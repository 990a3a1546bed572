// Edits of a parent source: search-and-replace blocks and unified diffs, read and applied.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

struct Edit {
  std::vector<std::string> search;   ///< lines that must occur in the source
  std::vector<std::string> replace;  ///< lines that take their place
  int near_line = 0;                 ///< from 1; decides between several places; 0 if unknown
};

struct Edits {
  std::vector<Edit> edits;
  std::string problem;    ///< why they cannot be read; "" if they can
  std::size_t begin = 0;  ///< offset of the first in the text
  bool any() const { return !edits.empty() || !problem.empty(); }
};

/// Every `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE` of a text, fenced or not.
Edits search_replace_edits(std::string_view text);

/// The hunks of a unified diff; a line number in a hunk's header is a hint, its counts are ignored.
Edits unified_edits(std::string_view diff);
bool looks_like_unified_diff(std::string_view text, std::string_view info);

struct Edited {
  std::optional<std::string> source;
  std::string problem;  ///< which edit does not apply, and why; "" if all did
};

/// All edits in order, or none. Lines are compared exactly, else without trailing space, else without space
/// at either end (the replacement then takes over the difference in indentation); each must have one place.
Edited apply_edits(std::string_view source, const std::vector<Edit>& edits);

}  // namespace ridgeline::prompts
