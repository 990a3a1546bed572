// Requests of a strategy and their results, as plain data that whoever holds it owns.
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

/// A request to a model. prompts/ renders its text from the role's template, the task and the feedback.
struct Ask {
  std::string role;   ///< template: a file under prompts/, "iterative/refine"
  std::string model;  ///< a role of the campaign's models ("generator", "critic"); "" is the trajectory's own
  std::optional<double> temperature;  ///< nullopt: the model's own default
  ScoredCandidatePtr change;          ///< the candidate the prompt asks to change; null for a first attempt
  std::vector<Feedback> feedback;
  std::map<std::string, std::string> variables;  ///< further template variables
  bool critic = false;                           ///< the answer is prose and no kernel is read from it
  Examples examples = Examples::none;
  bool hardware = false;  ///< the prompt describes the machine beyond what the rules say of it
};

enum class AnswerStatus {
  kernel,             ///< `candidate` holds it
  prose,              ///< a critic's text
  no_code,            ///< an answer without code
  diff_failed,        ///< a diff that does not apply to the parent
  model_failed,       ///< no answer: the endpoint refused, failed or timed out for good
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

/// The result of a request: the model's text and the candidate that was read from it.
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

/// The result of a request and of evaluating the kernel that came, if one did. The members of a batch do both
/// side by side: a fast answer is evaluated while others are still awaited.
struct Attempt {
  Answer answer;
  ScoredCandidatePtr evaluated;  ///< null if there was no kernel or the budget refused its evaluation
  bool out_of_budget() const {
    return answer.status == AnswerStatus::budget_exhausted ||
           (answer.status == AnswerStatus::kernel && evaluated == nullptr);
  }
};

/// Facts that a strategy knows about its trajectory. The task outlives the coroutine.
struct Brief {
  const Task& task;
  Language language = Language::cpp;
  std::uint64_t seed = 0;
};

}  // namespace ridgeline
