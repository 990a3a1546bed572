#include "prompts/ancestors_digest.hpp"

#include <fmt/format.h>

#include "prompts/roofline_digest.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/time_digest.hpp"
#include "prompts/token_budget.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

// For one ancestor, so that one with many cases or a long analysis does not push the others' sources out.
constexpr int tokens_of_times = 300;
constexpr int tokens_of_analysis = 400;

std::string ancestor_text(const AncestorsFeedback& feedback, std::size_t index, const Task& task) {
  const auto& ancestor = *feedback.ancestors[index];
  const auto total = feedback.ancestors.size();
  const auto* rank = total > 1 && index == 0           ? ", the slowest"
                     : total > 1 && index + 1 == total ? ", the fastest"
                                                       : "";
  auto text = fmt::format("### Kernel {} of {}{}\n\n{}\n\n{}", index + 1, total, rank,
                          fenced(clean(ancestor.candidate.source), traits(ancestor.candidate.language).fence),
                          time_digest(ancestor.verdict, task, tokens_of_times));
  if (const auto efficiency = efficiency_of(ancestor.verdict, task); efficiency > 0)
    text += fmt::format("\nEfficiency: {} of the roofline (median of the visible cases).",
                        percent_text(efficiency));
  if (index < feedback.analyses.size() && !is_blank(feedback.analyses[index])) {
    const auto analysis = clean(feedback.analyses[index]);
    text += fmt::format("\n\nAnalysis: {}", cut(trim(analysis), std::size_t{4} * tokens_of_analysis));
  }
  return text + "\n";
}

}  // namespace

std::string ancestors_digest(const AncestorsFeedback& feedback, const Task& task, int tokens) {
  // Worst first, and later ones are more important: the fastest stand next to the question.
  Excerpt excerpt;
  for (std::size_t i = 0; i < feedback.ancestors.size(); ++i)
    excerpt.add(ancestor_text(feedback, i, task), static_cast<int>(i));
  return std::string(trim_right(excerpt.within(tokens)));
}

}  // namespace ridgeline::prompts
