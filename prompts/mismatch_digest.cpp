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

constexpr std::size_t longest_told_line = 400;

bool visible(const Mismatch& one, const Task& task) {
  return !one.hidden && is_visible(task, one.case_name);
}

std::string extent(const Mismatch& one) {
  const auto share =
      one.elements > 0 ? static_cast<double>(one.wrong) / static_cast<double>(one.elements) : 0;
  auto text = fmt::format("Output `{}` {}: {} of {} elements wrong", one.output, shape_text(one.shape),
                          one.wrong, one.elements);
  if (one.wrong < one.elements) text += fmt::format(" ({})", percent_text(share));
  if (one.worst_absolute > 0 && std::isfinite(one.worst_absolute)) {
    text += fmt::format("; at worst off by {:.3g}", one.worst_absolute);
    if (one.tolerance > 0) text += fmt::format(" where {:.2g} is allowed", one.tolerance);
    if (one.worst_relative > 0 && std::isfinite(one.worst_relative))
      text += fmt::format(" (relative error {:.2g})", one.worst_relative);
  }
  return text + ".";
}

std::string pattern(const Mismatch& one) {
  auto text = fmt::format("Pattern: {}", in_words(one.pattern));
  if (!one.pattern_detail.empty())
    text += fmt::format(" ({})", cut(clean(one.pattern_detail), longest_told_line));
  return text + ".";
}

std::string first_ones(const Mismatch& one) {
  std::string text;
  for (const auto& element : one.first)
    text += fmt::format("\n- {}{} is {}, expected {}", one.output, shape_text(element.index),
                        number_text(element.got), number_text(element.expected));
  return text.empty() ? "" : "The first wrong ones:" + text;
}

void describe(const Mismatch& one, const Task& task, int importance, Excerpt& excerpt) {
  excerpt.add(fmt::format("\nCase {}, {}:", case_text(task, one.case_name), in_words(one.input_set)),
              importance);
  excerpt.add(extent(one), importance);
  excerpt.add(pattern(one), importance);
  if (auto first = first_ones(one); !first.empty()) excerpt.add(std::move(first), importance - 1);
}

}  // namespace

std::string mismatch_digest(const Verdict& verdict, const Task& task, int tokens) {
  const auto stage = verdict.failed_at().value_or(Stage::correctness);
  const auto& result = verdict.at(stage);
  const auto& all = verdict.mismatches;
  const bool unseen =
      std::any_of(all.begin(), all.end(), [&](const Mismatch& one) { return !visible(one, task); });
  Excerpt excerpt;
  excerpt.add(fmt::format("It compiles and runs, but the kernel {}{}.", in_words(result.reason),
                          unseen ? " in an unseen case" : ""),
              100);
  if (unseen) {
    excerpt.add(
        "Every case that you see may well pass: check sizes of 1, sizes that are no multiple of a block or a "
        "vector, and extreme values.",
        50);
    return excerpt.within(tokens);
  }
  if (const auto detail = safe_detail(result, task); !detail.empty() && all.empty())
    excerpt.add(cut(detail, longest_told_line), 90);
  int importance = 80;
  for (const auto& one : all) {
    describe(one, task, importance, excerpt);
    importance = std::max(importance - 10, 2);
  }
  return excerpt.within(tokens);
}

}  // namespace ridgeline::prompts
