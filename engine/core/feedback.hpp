// What a prompt may say about earlier candidates: data here, text in prompts/.
//
// Every item is bound to the hash of the candidate it describes (CudaForge's metrics could describe another
// kernel than the one judged) and has a budget in tokens that its digest must keep.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline {

/// A candidate with what was found out about it. Shared, immutable: strategies keep many of them.
struct Evaluated {
  Candidate candidate;
  Verdict verdict;
  int round = 0;  ///< of its trajectory, from 0
};
using EvaluatedPtr = std::shared_ptr<const Evaluated>;

/// The source itself, as the thing to change or to learn from.
struct SourceFeedback {
  EvaluatedPtr about;
};
/// Compiler diagnostics, call failure or mismatch: whichever ended the candidate's walk; nothing if it is
/// correct.
struct ErrorFeedback {
  EvaluatedPtr about;
};
/// Times and speed-up a case.
struct TimeFeedback {
  EvaluatedPtr about;
};
/// Bound, distance to the roof, counters.
struct RooflineFeedback {
  EvaluatedPtr about;
};
/// One line an earlier attempt, oldest first.
struct HistoryFeedback {
  std::vector<EvaluatedPtr> attempts;
};
/// Earlier candidates with source, time and efficiency, worst first (GEAK's ancestors).
struct AncestorsFeedback {
  std::vector<EvaluatedPtr> ancestors;
  std::vector<std::string> analyses;  ///< one an ancestor, "" where none
};
/// What a critic wrote about the candidate.
struct ReflectionFeedback {
  std::string text;
};
/// The last answer held no code, or a diff that did not apply: why.
struct AnswerFeedback {
  std::string problem;
};
/// The file of the campaign's knowledge folder that is nearest to a query. The query is named here and the
/// folder is not, so that a strategy stays pure.
struct KnowledgeFeedback {
  EvaluatedPtr about;  ///< whose source is the query; null: the task is
};

using FeedbackData =
    std::variant<SourceFeedback, ErrorFeedback, TimeFeedback, RooflineFeedback, HistoryFeedback,
                 AncestorsFeedback, ReflectionFeedback, AnswerFeedback, KnowledgeFeedback>;

struct Feedback {
  Hash candidate;  ///< which candidate it describes; "" where it is about an answer without code or the task
  int token_budget = 800;  ///< digests cut to it, least important lines first
  FeedbackData data;
};

/// "source", "errors", "time", "roofline", "history", "ancestors", "reflection", "answer",
/// "knowledge": the names of the template variables that the items fill.
std::string_view kind_of(const FeedbackData& data);

}  // namespace ridgeline
