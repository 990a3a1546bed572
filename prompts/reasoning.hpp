// Separates the reasoning that models write into their answers from the answer.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::prompts {

/// An answer in two parts.
struct Reasoned {
  std::string answer;     ///< the text without reasoning
  std::string reasoning;  ///< all reasoning, joined
  bool unclosed = false;  ///< a tag was opened and never closed: everything after it counts as reasoning
};

/// Knows <think>, <thinking>, <thought> and <reasoning> in any case, Kimi's ◁think▷ and gpt-oss's analysis
/// channel. An opening tag counts at the start of a line only. A closing tag without an opening one ends
/// reasoning that began with the text (DeepSeek-R1's template opens the tag in the prompt).
Reasoned split_reasoning(std::string_view text);

}  // namespace ridgeline::prompts
