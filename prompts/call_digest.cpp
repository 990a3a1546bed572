#include "prompts/call_digest.hpp"

#include <fmt/format.h>

#include "prompts/reasons.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"

namespace ridgeline::prompts {
namespace {

constexpr std::size_t longest_line = 400;  // bytes; kernels print whole arrays

/// Says what usually raises a signal: models know the word SIGFPE and look for floating point.
std::string_view meaning(const std::string& signal) {
  if (signal == "SIGSEGV" || signal == "SIGBUS")
    return ": it read or wrote memory that is not its own, or overflowed the stack";
  if (signal == "SIGFPE") return ": an integer division by zero";
  if (signal == "SIGILL") return ": an instruction that this machine does not have";
  if (signal == "SIGABRT") return ": it aborted, by an exception, an assertion or a corrupted heap";
  return "";
}

}  // namespace

std::string call_digest(const Verdict& verdict, const Task& task, int tokens) {
  const auto& call = verdict.at(Stage::call);
  Excerpt excerpt;
  if (!verdict.call_failure) {
    excerpt.add(fmt::format("The kernel {}.", in_words(call.reason)), 100);
    if (const auto detail = safe_detail(call, task); !detail.empty())
      excerpt.add(cut(detail, longest_line), 90);
    return excerpt.within(tokens);
  }

  const auto& failure = *verdict.call_failure;
  const auto signal = failure.signal_name.empty()
                          ? ""
                          : fmt::format(", with {}{}", failure.signal_name, meaning(failure.signal_name));
  // Two sources say hidden, the failure and the task: either is enough to keep silent.
  const bool visible = !failure.hidden && is_visible(task, failure.case_name);
  if (!visible) {
    const bool no_case = failure.case_name.empty() && !failure.hidden;
    excerpt.add(
        fmt::format("The kernel {}{}{}.", in_words(call.reason), no_case ? "" : " in an unseen case", signal),
        100);
    // The advice says no more than the suite's documentation: hidden cases have sizes that visible ones lack.
    if (!no_case) excerpt.add("Check sizes of 1 and sizes that are no multiple of a block or a vector.", 50);
    return excerpt.within(tokens);
  }
  excerpt.add(fmt::format("The kernel {} in case {} on {}{}.", in_words(call.reason),
                          case_text(task, failure.case_name), in_words(failure.input_set), signal),
              100);
  if (!failure.place.empty()) excerpt.add("Place: " + cut(clean(failure.place), longest_line), 90);
  if (!failure.address.empty()) excerpt.add("Address: " + cut(clean(failure.address), longest_line), 85);
  if (const auto detail = safe_detail(call, task); !detail.empty())
    excerpt.add(cut(detail, longest_line), 80);
  // Last, with the least importance: output is long, and mostly the model's own debugging.
  if (!is_blank(failure.output)) {
    excerpt.add("It printed:", 40);
    const auto output = clean(failure.output);
    for (const auto line : lines_of(output)) excerpt.add("    " + cut(line, longest_line), 39);
  }
  return excerpt.within(tokens);
}

}  // namespace ridgeline::prompts
