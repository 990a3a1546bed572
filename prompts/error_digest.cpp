#include "prompts/error_digest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "prompts/call_digest.hpp"
#include "prompts/compiler_digest.hpp"
#include "prompts/diagnostics.hpp"
#include "prompts/mismatch_digest.hpp"
#include "prompts/reasons.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"

namespace ridgeline::prompts {
namespace {

/// The machine failed. The prompt says so, lest the model changes a kernel that may be right.
std::string without_judgement(const Verdict& verdict, Stage stage, const Task& task, int tokens) {
  Excerpt excerpt;
  excerpt.add(fmt::format("The kernel could not be judged, which is not its fault: stage {}, {}.",
                          to_string(stage), to_string(verdict.at(stage).reason)),
              100);
  if (const auto detail = safe_detail(verdict.at(stage), task); !detail.empty())
    excerpt.add(cut(detail, 400), 50);
  return excerpt.within(tokens);
}

/// No stage failed and the candidate is not correct: the judge saw it cheat. The prompt says what was seen,
/// since a model that meant no harm must know what to change.
std::string rejection(const Verdict& verdict, int tokens) {
  Excerpt excerpt;
  excerpt.add(
      "The kernel gives the right values and is rejected all the same: it does not do the work in the call.",
      100);
  for (const auto& flag : verdict.flags) excerpt.add("- " + cut(clean(flag), 400), 50);
  return excerpt.within(tokens);
}

}  // namespace

std::string error_digest(const ScoredCandidate& about, const Task& task, int tokens) {
  const auto& verdict = about.verdict;
  if (verdict.correct()) return "";
  const auto stage = verdict.failed_at();
  if (!stage) return rejection(verdict, tokens);
  if (verdict.at(*stage).status != Status::failed) return without_judgement(verdict, *stage, task, tokens);
  switch (*stage) {
    case Stage::build:
      return compiler_digest(verdict, task, about.candidate.source, tokens);
    case Stage::call:
      return call_digest(verdict, task, tokens);
    default:
      return mismatch_digest(verdict, task, tokens);
  }
}

std::string failure_in_brief(const Verdict& verdict, const Task& task) {
  const auto stage = verdict.failed_at();
  if (!stage) return "was rejected";
  const auto& result = verdict.at(*stage);
  if (result.status != Status::failed) return "could not be judged";
  auto text = std::string(in_words(result.reason));
  // The first error: the others are often its consequences.
  if (result.reason == Reason::compile_error)
    for (const auto& message : parse_diagnostics(verdict.build_log))
      if (message.severity == Severity::error) return text + ": " + cut(message.message, 100);
  if (verdict.call_failure && !verdict.call_failure->signal_name.empty())
    text += " with " + verdict.call_failure->signal_name;
  if (!verdict.mismatches.empty()) {
    const auto& first = verdict.mismatches.front();
    const bool visible = !first.hidden && is_visible(task, first.case_name);
    text += visible ? fmt::format(" in `{}`: {}", first.case_name, in_words(first.pattern))
                    : " in an unseen case";
  }
  return text;
}

}  // namespace ridgeline::prompts
