// Makes the items of a prompt from what is known about a candidate. Each item is bound to the candidate's
// hash and has a budget in tokens, to which prompts/ cuts it.
#pragma once

#include <string>
#include <vector>

#include "engine/core/effects.hpp"

namespace ridgeline::strategies {

/// Tokens of a source. Sources are meant to be shown whole, since a cut source cannot be changed; the budget
/// guards against a runaway answer.
inline constexpr int source_tokens = 16000;
/// Tokens of errors, times and roofline, each, unless a setting says otherwise.
inline constexpr int digest_tokens = 800;

// `about` is not null unless said otherwise.

Feedback source_of(ScoredCandidatePtr about);
Feedback errors_of(ScoredCandidatePtr about, int tokens = digest_tokens);
Feedback times_of(ScoredCandidatePtr about, int tokens = digest_tokens);
Feedback roofline_of(ScoredCandidatePtr about, int tokens = digest_tokens);
/// Takes `attempts` oldest first; there is at least one. Binds the item to the newest.
Feedback history_of(std::vector<ScoredCandidatePtr> attempts, int tokens = digest_tokens);
/// Takes `ancestors` slowest first; there is at least one. Binds the item to the fastest.
Feedback ancestors_of(AncestorsFeedback ancestors);
/// Shows what a critic wrote about the candidate.
Feedback reflection_on(const ScoredCandidatePtr& about, std::string text, int tokens = digest_tokens);
/// Shows the file of the campaign's knowledge folder that is nearest to the candidate's source; nearest to
/// the task if `about` is null.
Feedback knowledge_near(ScoredCandidatePtr about, int tokens);
/// Tells the model why its last answer held no kernel. Bound to no candidate.
Feedback problem_with(const Answer& answer);

}  // namespace ridgeline::strategies
