#include "engine/strategies/feedback_items.hpp"

namespace ridgeline::strategies {
namespace {

template <class Item>
Feedback about_candidate(ScoredCandidatePtr about, int tokens) {
  auto hash = about->candidate.hash;
  return {std::move(hash), tokens, Item{std::move(about)}};
}

}  // namespace

Feedback source_of(ScoredCandidatePtr about) {
  return about_candidate<SourceFeedback>(std::move(about), source_tokens);
}

Feedback errors_of(ScoredCandidatePtr about, int tokens) {
  return about_candidate<ErrorFeedback>(std::move(about), tokens);
}

Feedback times_of(ScoredCandidatePtr about, int tokens) {
  return about_candidate<TimeFeedback>(std::move(about), tokens);
}

Feedback roofline_of(ScoredCandidatePtr about, int tokens) {
  return about_candidate<RooflineFeedback>(std::move(about), tokens);
}

Feedback history_of(std::vector<ScoredCandidatePtr> attempts, int tokens) {
  auto hash = attempts.back()->candidate.hash;
  return {std::move(hash), tokens, HistoryFeedback{std::move(attempts)}};
}

Feedback ancestors_of(AncestorsFeedback ancestors) {
  auto hash = ancestors.ancestors.back()->candidate.hash;
  // Room for the fastest ancestor's source and a digest of each.
  const int tokens = source_tokens + digest_tokens * static_cast<int>(ancestors.ancestors.size());
  return {std::move(hash), tokens, std::move(ancestors)};
}

Feedback reflection_on(const ScoredCandidatePtr& about, std::string text, int tokens) {
  return {about->candidate.hash, tokens, ReflectionFeedback{std::move(text)}};
}

Feedback knowledge_near(ScoredCandidatePtr about, int tokens) {
  auto hash = about ? about->candidate.hash : Hash();
  return {std::move(hash), tokens, KnowledgeFeedback{std::move(about)}};
}

Feedback problem_with(const Answer& answer) {
  auto problem = answer.detail;
  if (problem.empty())
    problem = answer.status == AnswerStatus::diff_failed ? "The edits in it do not apply to the source."
                                                         : "It held no source code.";
  return {{}, digest_tokens, AnswerFeedback{std::move(problem)}};
}

}  // namespace ridgeline::strategies
