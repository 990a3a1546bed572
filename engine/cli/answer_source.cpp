#include "engine/cli/answer_source.hpp"

#include "engine/core/error.hpp"
#include "engine/core/signature.hpp"
#include "prompts/answer_reader.hpp"
#include "prompts/fences.hpp"

namespace ridgeline::cli {
namespace {

/// Returns whether the source is an answer with fences. A kernel's own comments and docstrings may hold
/// fences too, but then code stands before the first of them; before an answer's first fence there is only
/// prose.
bool comes_fenced(const std::string& source, const Task& task) {
  const auto blocks = prompts::code_blocks(source);
  if (blocks.empty()) return false;
  const auto before = source.substr(0, blocks.front().begin);
  const auto holds = [&](const std::string& text) { return before.find(text) != std::string::npos; };
  return !holds(entry_point(task) + "(") && !holds("class ModelNew") && !holds("#include") &&
         !holds("import torch");
}

}  // namespace

evaluation::SourceRead kernel_in(const std::string& source, const Task& task, Language language) {
  if (!comes_fenced(source, task)) return {source, ""};
  const auto answer = prompts::read_answer(source, Ask{}, Brief{task, language});
  if (!answer.candidate)
    throw BadInput("'source' comes as an answer with code fences, and no kernel is in it: " + answer.detail +
                   " Send the kernel's source alone, or the whole answer with the block that holds it");
  return {answer.candidate->source,
          "'source' came with code fences: read as an answer, and the kernel in them was judged"};
}

}  // namespace ridgeline::cli
