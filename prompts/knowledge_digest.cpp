#include "prompts/knowledge_digest.hpp"

#include <fmt/format.h>

#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"

namespace ridgeline::prompts {
namespace {

constexpr int tokens_of_note = 12;  // "... (1234 more lines)"

/// Cuts after a whole line, since half a line of code misleads, and says how much is missing.
std::string first_lines(std::string_view text, int tokens) {
  if (estimate_tokens(text) <= tokens) return std::string(text);
  const auto lines = lines_of(text);
  std::string kept;
  std::size_t count = 0;
  while (count < lines.size()) {
    auto longer = kept;
    longer.append(lines[count]) += '\n';
    if (estimate_tokens(longer) > tokens - tokens_of_note) break;
    kept = std::move(longer);
    ++count;
  }
  return kept + fmt::format("... ({} more lines)\n", lines.size() - count);
}

}  // namespace

std::string knowledge_digest(const KnowledgeFeedback& item, const Task& task, const KnowledgeIndex& knowledge,
                             int tokens) {
  const auto query =
      item.about ? item.about->candidate.source
                 : fmt::format("{}\n{}\n{}\n{}", task.name, task.description, task.formula, task.reference);
  // A source is the best query for a similar source; before the first attempt the task's own words stand in.
  const auto* file = knowledge.nearest(query);
  if (file == nullptr) return "";
  const auto introduction = fmt::format(
      "`{}` is the one of a library of kernels that is most like {}. It may solve another task, so take from "
      "it what helps here and nothing else.",
      clean(file->name), item.about ? "this kernel" : "this task");
  const auto source = tidy(clean(file->text));
  return fmt::format("{}\n\n{}", introduction,
                     fenced(first_lines(source, tokens - estimate_tokens(introduction)),
                            traits(knowledge.language()).fence));
}

}  // namespace ridgeline::prompts
