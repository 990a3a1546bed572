// Makes a recording of the answers in a store, so that the same candidates can be judged again, on another
// machine or by another version, without asking a model.
#pragma once

#include <string>

#include "engine/store/reader.hpp"
#include "llm_clients/recording.hpp"

namespace ridgeline::cli {

/// Selects answers in a store.
struct AnswerChoice {
  std::string campaign;  ///< its name; "": the store's newest
  std::string entry;     ///< only answers of this entry under `models` in the campaign file; "": of all
};

/// Returns whether a recording can hold the end of a model's call: a text, or none because the answer was cut
/// off while the model reasoned, was refused or failed for good. It cannot hold that of a call that was given
/// up, that no budget allowed, or that another recording did not hold.
bool can_be_replayed(const store::AskRecord& ask);

/// Returns the answers that the campaign had, calls of critics among them, in the order of trajectories,
/// steps and slots; calls without a text too, if they can_be_replayed. Recording::model is the provider's
/// name of the model; several are comma-separated. Recording::recorded_at is when the last answer came.
/// RecordedAnswer::finish_reason is the provider's, or one under which the call ends on replay as it ended:
/// truncated, refused, or `empty` for every other failure. Throws BadInput for a campaign or an entry that
/// the store does not have, and if two entries answered at one llm::CallAddress, as in a campaign over
/// several models: AnswerChoice::entry chooses one.
llm::Recording answers_of_store(const store::Reader& reader, const AnswerChoice& choice);

}  // namespace ridgeline::cli
