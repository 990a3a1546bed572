// Reads edits of a parent source from an answer, as search-and-replace blocks or a unified diff, and applies
// them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

/// One replacement of some lines by others.
struct Edit {
  std::vector<std::string> search;   ///< lines that must occur in the source
  std::vector<std::string> replace;  ///< lines that take their place
  int near_line = 0;                 ///< a hint, from 1, that decides between several places; 0 if unknown
};

/// The edits of an answer.
struct Edits {
  std::vector<Edit> edits;
  std::string problem;    ///< why they cannot be read; "" if they can
  std::size_t begin = 0;  ///< offset of the first edit in the text
  bool any() const { return !edits.empty() || !problem.empty(); }
};

/// Reads every `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE` of a text, fenced or not.
Edits search_replace_edits(std::string_view text);

/// Reads the hunks of a unified diff. The line number in a hunk's header is a hint and its counts are
/// ignored: models count lines wrongly.
Edits unified_edits(std::string_view diff);
/// Whether a block with this info string is a unified diff.
bool looks_like_unified_diff(std::string_view text, std::string_view info);

/// The source after all edits, or the reason why one of them does not apply.
struct Edited {
  std::optional<std::string> source;
  std::string problem;  ///< which edit does not apply, and why; "" if all did
};

/// Applies all edits in order, or none. Lines are compared exactly, else without trailing space, else without
/// space at either end (the replacement then takes over the difference in indentation). Each edit must match
/// exactly one place.
Edited apply_edits(std::string_view source, const std::vector<Edit>& edits);

}  // namespace ridgeline::prompts
