// Finds the code blocks of an answer in Markdown, as models write it: not always correctly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

/// One fenced block.
struct Block {
  std::string info;       ///< the language of the info string, lower case: "cpp", "c++"; "" if none
  std::string body;       ///< without the fence's own indentation
  bool complete = false;  ///< its closing fence was there
  std::size_t begin = 0;  ///< offset of its opening fence in the text
};

/// Accepts fences of backticks or tildes of any length and indentation. A fence may open at the end of a line
/// of prose and close behind the last line of code. A block of Markdown that holds blocks is replaced by
/// those. A fence with an info string inside a block of code ends that block, whose own closing fence was
/// forgotten.
std::vector<Block> code_blocks(std::string_view text);

}  // namespace ridgeline::prompts
