// From what is known about a candidate to the items of a prompt, each bound to the candidate's hash and with
// a budget in tokens (prompts/ cuts to it).
#pragma once

#include <string>
#include <vector>

#include "engine/core/effects.hpp"

namespace ridgeline::strategies {

/// Sources are shown whole: a cut source cannot be changed. The budget is a fuse against a runaway answer.
inline constexpr int source_tokens = 16000;
/// Of errors, times and roofline, each, unless a setting says otherwise.
inline constexpr int digest_tokens = 800;

Feedback source_of(ScoredCandidatePtr about);
Feedback errors_of(ScoredCandidatePtr about, int tokens = digest_tokens);
Feedback times_of(ScoredCandidatePtr about, int tokens = digest_tokens);
Feedback roofline_of(ScoredCandidatePtr about, int tokens = digest_tokens);
/// `attempts` oldest first and not empty; bound to the newest.
Feedback history_of(std::vector<ScoredCandidatePtr> attempts, int tokens = digest_tokens);
/// `ancestors` slowest first and not empty; bound to the fastest.
Feedback ancestors_of(AncestorsFeedback ancestors);
Feedback reflection_on(const ScoredCandidatePtr& about, std::string text, int tokens = digest_tokens);
/// What the campaign's knowledge folder holds nearest to this candidate's source, or to the task if null.
Feedback knowledge_near(ScoredCandidatePtr about, int tokens);
/// Why the last answer held no kernel, for the next prompt to say so.
Feedback problem_with(const Answer& answer);

}  // namespace ridgeline::strategies
