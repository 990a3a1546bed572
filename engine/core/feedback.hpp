// Feedback: the facts about earlier candidates that a prompt may say. Strategies choose them as data;
// prompts/ makes the text.
//
// Every item carries the hash of the candidate that it describes (CudaForge's metrics could describe another
// kernel than the judged one) and a budget in tokens that its digest must keep.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline {

/// A candidate with its verdict. Shared and immutable, since strategies keep many of them.
struct ScoredCandidate {
  Candidate candidate;
  Verdict verdict;
  int round = 0;  ///< the round of its trajectory that asked for it, from 0
};
using ScoredCandidatePtr = std::shared_ptr<const ScoredCandidate>;

/// The source itself, as the thing to change or to learn from.
struct SourceFeedback {
  ScoredCandidatePtr about;
};
/// Compiler diagnostics, call failure or mismatch, whichever ended the evaluation; nothing for a correct
/// candidate.
struct ErrorFeedback {
  ScoredCandidatePtr about;
};
/// Times and speed-up of each case.
struct TimeFeedback {
  ScoredCandidatePtr about;
};
/// Bound, distance to the roof, counters.
struct RooflineFeedback {
  ScoredCandidatePtr about;
};
/// One line for each earlier attempt, oldest first.
struct HistoryFeedback {
  std::vector<ScoredCandidatePtr> attempts;
};
/// Earlier candidates with source, time and efficiency, worst first (GEAK's ancestors).
struct AncestorsFeedback {
  std::vector<ScoredCandidatePtr> ancestors;
  std::vector<std::string> analyses;  ///< one for each ancestor, "" where there is none
};
/// The text that a critic wrote about the candidate.
struct ReflectionFeedback {
  std::string text;
};
/// Says why the last answer gave no candidate: it held no code, or a diff that did not apply.
struct AnswerFeedback {
  std::string problem;
};
/// The file of the campaign's knowledge folder that is nearest to a query. The query is named here and the
/// folder is not, so that a strategy stays pure.
struct KnowledgeFeedback {
  ScoredCandidatePtr about;  ///< its source is the query; null if the task is
};

using FeedbackData =
    std::variant<SourceFeedback, ErrorFeedback, TimeFeedback, RooflineFeedback, HistoryFeedback,
                 AncestorsFeedback, ReflectionFeedback, AnswerFeedback, KnowledgeFeedback>;

struct Feedback {
  Hash candidate;  ///< the candidate that it describes; "" if it is about the task or an answer without code
  int token_budget = 800;  ///< digests drop their least important lines to keep it
  FeedbackData data;
};

/// "source", "errors", "time", "roofline", "history", "ancestors", "reflection", "answer",
/// "knowledge": the names of the template variables that the items fill.
std::string_view kind_of(const FeedbackData& data);

}  // namespace ridgeline
