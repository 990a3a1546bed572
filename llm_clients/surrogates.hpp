// JSON may write a character beyond U+FFFF as two halves ("\ud83d\ude00"), and a server that cuts its text
// between tokens may put them into two events. Until its other half comes, a character for private use stands
// for each.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::llm {

/// `json` with each half that stands alone replaced by what stands for it.
std::string keep_halves(std::string_view json);

/// `text` with halves that now stand side by side joined, and U+FFFD for those that are still alone.
std::string join_halves(std::string text);

}  // namespace ridgeline::llm
