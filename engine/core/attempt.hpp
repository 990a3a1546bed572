// What a strategy asks for and what comes of it, as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline {

/// Solved examples of other tasks that a prompt shows before its own.
enum class Examples { none, one, few };
constexpr auto enum_names(Examples) {
  return std::to_array<Name<Examples>>(
      {{Examples::none, "none"}, {Examples::one, "one"}, {Examples::few, "few"}});
}

/// A request to a model. The text is rendered by prompts/ from `role`'s template, the task and the feedback.
struct Ask {
  std::string role;   ///< template: a file under prompts/, "iterative/refine"
  std::string model;  ///< a role of the campaign's models ("generator", "critic"); "" is the trajectory's own
  std::optional<double> temperature;  ///< nullopt: the model's own
  EvaluatedPtr change;                ///< the candidate the prompt asks to change; null for a first attempt
  std::vector<Feedback> feedback;
  std::map<std::string, std::string> variables;  ///< further template variables
  bool critic = false;                           ///< the answer is prose and no kernel is read from it
  Examples examples = Examples::none;
  bool hardware = false;  ///< the prompt describes the machine beyond what the rules say of it
};

enum class AnswerStatus {
  kernel,             ///< `candidate` holds it
  prose,              ///< what a critic wrote
  no_code,            ///< an answer without code
  diff_failed,        ///< a diff that does not apply to the parent
  model_failed,       ///< no answer: the model's end refused, failed or timed out for good
  missing_recording,  ///< a replay has no answer for this address
  budget_exhausted,   ///< refused by the campaign's budget: the strategy should end
  cancelled           ///< given up by the strategy, which never sees it
};
constexpr auto enum_names(AnswerStatus) {
  return std::to_array<Name<AnswerStatus>>({{AnswerStatus::kernel, "kernel"},
                                            {AnswerStatus::prose, "prose"},
                                            {AnswerStatus::no_code, "no_code"},
                                            {AnswerStatus::diff_failed, "diff_failed"},
                                            {AnswerStatus::model_failed, "model_failed"},
                                            {AnswerStatus::missing_recording, "missing_recording"},
                                            {AnswerStatus::budget_exhausted, "budget_exhausted"},
                                            {AnswerStatus::cancelled, "cancelled"}});
}

struct Answer {
  AnswerStatus status = AnswerStatus::model_failed;
  std::string text;    ///< as the model wrote it, reasoning apart
  std::string detail;  ///< why there is no kernel
  std::optional<Candidate> candidate;
};

enum class EvaluationStatus {
  evaluated,
  budget_exhausted,
  cancelled  ///< given up by the strategy, which never sees it
};
constexpr auto enum_names(EvaluationStatus) {
  return std::to_array<Name<EvaluationStatus>>({{EvaluationStatus::evaluated, "evaluated"},
                                                {EvaluationStatus::budget_exhausted, "budget_exhausted"},
                                                {EvaluationStatus::cancelled, "cancelled"}});
}

/// Ask, then evaluate the kernel if there is one; the members of a batch do so side by side, without a
/// barrier between the two.
struct Attempt {
  Answer answer;
  EvaluatedPtr evaluated;  ///< null if there was no kernel or the budget refused its evaluation
  bool out_of_budget() const {
    return answer.status == AnswerStatus::budget_exhausted ||
           (answer.status == AnswerStatus::kernel && evaluated == nullptr);
  }
};

/// What a strategy knows about its trajectory. References outlive the coroutine.
struct Brief {
  const Task& task;
  Language language = Language::cpp;
  std::uint64_t seed = 0;
};

}  // namespace ridgeline
