#include "prompts/mismatch_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "prompts/reasons.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

constexpr std::size_t longest_detail = 400;  // bytes

bool visible(const Mismatch& mismatch, const Task& task) {
  return !mismatch.hidden && is_visible(task, mismatch.case_name);
}

std::string extent(const Mismatch& mismatch) {
  const auto share = mismatch.elements > 0
                         ? static_cast<double>(mismatch.wrong) / static_cast<double>(mismatch.elements)
                         : 0;
  auto text = fmt::format("Output `{}` {}: {} of {} elements wrong", mismatch.output,
                          shape_text(mismatch.shape), mismatch.wrong, mismatch.elements);
  if (mismatch.wrong < mismatch.elements) text += fmt::format(" ({})", percent_text(share));
  // Infinite errors are the pattern "not_finite", which says it better.
  if (mismatch.worst_absolute > 0 && std::isfinite(mismatch.worst_absolute)) {
    text += fmt::format("; at worst off by {:.3g}", mismatch.worst_absolute);
    if (mismatch.tolerance > 0) text += fmt::format(" where {:.2g} is allowed", mismatch.tolerance);
    if (mismatch.worst_relative > 0 && std::isfinite(mismatch.worst_relative))
      text += fmt::format(" (relative error {:.2g})", mismatch.worst_relative);
  }
  return text + ".";
}

std::string pattern(const Mismatch& mismatch) {
  auto text = fmt::format("Pattern: {}", in_words(mismatch.pattern));
  if (!mismatch.pattern_detail.empty())
    text += fmt::format(" ({})", cut(clean(mismatch.pattern_detail), longest_detail));
  return text + ".";
}

std::string first_elements(const Mismatch& mismatch) {
  std::string text;
  for (const auto& element : mismatch.first)
    text += fmt::format("\n- {}{} is {}, expected {}", mismatch.output, shape_text(element.index),
                        number_text(element.got), number_text(element.expected));
  return text.empty() ? "" : "The first wrong ones:" + text;
}

void describe(const Mismatch& mismatch, const Task& task, int importance, Excerpt& excerpt) {
  excerpt.add(
      fmt::format("\nCase {}, {}:", case_text(task, mismatch.case_name), in_words(mismatch.input_set)),
      importance);
  excerpt.add(extent(mismatch), importance);
  excerpt.add(pattern(mismatch), importance);
  if (auto first = first_elements(mismatch); !first.empty()) excerpt.add(std::move(first), importance - 1);
}

}  // namespace

std::string mismatch_digest(const Verdict& verdict, const Task& task, int tokens) {
  const auto stage = verdict.failed_at().value_or(Stage::correctness);
  const auto& result = verdict.at(stage);
  const auto& all = verdict.mismatches;
  const bool unseen =
      std::any_of(all.begin(), all.end(), [&](const Mismatch& mismatch) { return !visible(mismatch, task); });
  Excerpt excerpt;
  excerpt.add(fmt::format("It compiles and runs, but the kernel {}{}.", in_words(result.reason),
                          unseen ? " in an unseen case" : ""),
              100);
  // All mismatches are of the first failing case, so nothing visible is left to say.
  if (unseen) {
    excerpt.add(
        "Every case that you see may well pass: check sizes of 1, sizes that are no multiple of a block or a "
        "vector, and extreme values.",
        50);
    return excerpt.within(tokens);
  }
  if (const auto detail = safe_detail(result, task); !detail.empty() && all.empty())
    excerpt.add(cut(detail, longest_detail), 90);
  int importance = 80;  // falls: the first failing case is the one to repair
  for (const auto& mismatch : all) {
    describe(mismatch, task, importance, excerpt);
    importance = std::max(importance - 10, 2);
  }
  return excerpt.within(tokens);
}

}  // namespace ridgeline::prompts
