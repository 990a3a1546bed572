#include "prompts/history_digest.hpp"

#include <fmt/format.h>

#include "prompts/error_digest.hpp"
#include "prompts/token_budget.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {

std::string history_digest(const HistoryFeedback& history, const Task& task, int tokens) {
  Excerpt excerpt;
  int importance = 0;  // grows with each attempt: recent ones stay
  for (const auto& attempt : history.attempts) {
    const auto& verdict = attempt->verdict;
    const auto outcome = verdict.correct()
                             ? fmt::format("correct, speed-up {}", speedup_text(verdict.speedup()))
                             : failure_in_brief(verdict, task);
    excerpt.add(fmt::format("- round {}: {}", attempt->round + 1, outcome), ++importance);
  }
  return excerpt.within(tokens);
}

}  // namespace ridgeline::prompts
