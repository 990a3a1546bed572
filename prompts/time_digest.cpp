#include "prompts/time_digest.hpp"

#include <fmt/format.h>

#include "engine/core/short_number.hpp"
#include "prompts/reasons.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

std::string line_of(const CaseTiming& one, const Task& task) {
  auto text =
      fmt::format("- {}: {}, baseline {}, {} (95 % interval {} to {})", case_text(task, one.case_name),
                  time_text(one.cold.median), time_text(one.baseline_cold.median), speedup_text(one.speedup),
                  speedup_text(one.speedup_low), speedup_text(one.speedup_high));
  if (one.hot.median > 0) text += fmt::format("; {} with operands in the cache", time_text(one.hot.median));
  if (one.replayed.median > 0)
    text +=
        fmt::format(", {} of them without launches (replayed as a graph)", time_text(one.replayed.median));
  if (one.energy > 0)
    text += fmt::format("; {} mJ a call, {:.0f} % of them above idle", short_number(one.energy * 1e3),
                        100 * one.energy_above_idle / one.energy);
  // A model that takes noise for a gain keeps the wrong change.
  if (!one.cold.converged) text += "; noisy";
  return text;
}

}  // namespace

std::string time_digest(const Verdict& verdict, const Task& task, int tokens) {
  Excerpt excerpt;
  // Correct without a time happens on machines that cannot measure.
  if (!verdict.timing || verdict.timing->cases.empty()) {
    const auto detail = safe_detail(verdict.at(Stage::timing), task);
    excerpt.add(fmt::format("The kernel is correct and was not timed{}{}.", detail.empty() ? "" : ": ",
                            cut(detail, 400)),
                100);
    return excerpt.within(tokens);
  }
  const auto& timing = *verdict.timing;
  excerpt.add(
      fmt::format(
          "The kernel is correct. Speed-up {} (95 % interval {} to {}): geometric mean of the timed cases "
          "with cold caches, against {}.\n",
          speedup_text(timing.speedup), speedup_text(timing.speedup_low), speedup_text(timing.speedup_high),
          timing.baseline.empty() ? "the baseline" : clean(timing.baseline)),
      100);
  // Times of unseen cases would say their sizes.
  std::size_t unseen = 0;
  for (const auto& one : timing.cases) {
    if (is_visible(task, one.case_name))
      excerpt.add(line_of(one, task), 50);
    else
      ++unseen;
  }
  if (unseen > 0) excerpt.add("- and cases that you do not see", 40);
  return excerpt.within(tokens);
}

}  // namespace ridgeline::prompts
