// What a strategy asks for and what it gets back, as plain data. A strategy is the code that decides what to
// ask a model next; a trajectory is one strategy on one task with one seed. `Brief` refers to its task; all
// other types own what they hold or share it through ScoredCandidatePtr.
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

/// How many solved examples of other tasks a prompt shows before its own task.
enum class Examples {
  none,
  one,
  few  ///< two or three: prompts/common/example_* and examples_more_* of the language
};
constexpr auto enum_names(Examples) {
  return std::to_array<Name<Examples>>(
      {{Examples::none, "none"}, {Examples::one, "one"}, {Examples::few, "few"}});
}

/// A request to a model. prompts/ renders its text from the template, the task and the feedback.
struct Ask {
  /// Name of the prompt template: the path of a file under prompts/, as "iterative/refine". If answers are
  /// torch modules, "module/refine" takes its place where that file exists.
  std::string role;
  /// Key in the campaign file's `roles`, which names the model to ask ("generator", "critic"). "" and keys
  /// that the file does not list stand for "generator".
  std::string model;
  std::optional<double> temperature;  ///< nullopt: the model's own default
  ScoredCandidatePtr change;          ///< the candidate the prompt asks to change; null for a first attempt
  std::vector<Feedback> feedback;     ///< facts about earlier candidates that the prompt says
  std::map<std::string, std::string> variables;  ///< values of the strategy's own template variables
  bool critic = false;                           ///< the answer is prose and no kernel is read from it
  Examples examples = Examples::none;
  bool hardware = false;  ///< fills the template's {{hardware}}: a section on the device and its compilers
};

/// How a request to a model ended.
enum class AnswerStatus {
  kernel,             ///< the answer held code, and `Answer::candidate` is made of it
  prose,              ///< the text of a critic (`Ask::critic`)
  no_code,            ///< the answer held no code
  diff_failed,        ///< the answer was a diff that does not apply to `Ask::change`
  model_failed,       ///< no answer came: the endpoint refused, failed or timed out for good
  missing_recording,  ///< answers are replayed from a recording, which holds none for this request
  budget_exhausted,   ///< the campaign's budget refused the request: the strategy should end
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
  std::string text;                    ///< the answer as the model wrote it, without its reasoning
  std::string detail;                  ///< why there is no kernel
  std::optional<Candidate> candidate;  ///< set if `status` is kernel
};

/// How a request to evaluate a candidate ended.
enum class EvaluationStatus {
  evaluated,         ///< it has a verdict, whatever the verdict says
  budget_exhausted,  ///< the campaign's budget refused it: the strategy should end
  cancelled          ///< given up by the strategy, which never sees it
};
constexpr auto enum_names(EvaluationStatus) {
  return std::to_array<Name<EvaluationStatus>>({{EvaluationStatus::evaluated, "evaluated"},
                                                {EvaluationStatus::budget_exhausted, "budget_exhausted"},
                                                {EvaluationStatus::cancelled, "cancelled"}});
}

/// The result of a request and of evaluating the kernel in its answer, if there is one. A strategy may begin
/// several attempts together: a fast answer is then evaluated while the other answers are still awaited.
struct Attempt {
  Answer answer;
  ScoredCandidatePtr evaluated;  ///< null if there was no kernel or the budget refused its evaluation
  /// Whether the budget refused the request or the evaluation.
  bool out_of_budget() const {
    return answer.status == AnswerStatus::budget_exhausted ||
           (answer.status == AnswerStatus::kernel && evaluated == nullptr);
  }
};

/// Facts that a strategy knows about its trajectory. Strategies are coroutines.
struct Brief {
  const Task& task;                   ///< owned by the caller, and outlives the strategy's coroutine
  Language language = Language::cpp;  ///< the language that answers are written in
  std::uint64_t seed =
      0;  ///< of the trajectory; for random choices, of which the present strategies make none
};

}  // namespace ridgeline
