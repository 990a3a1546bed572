// The answers in a store as a recording: so that the same candidates are judged again, on another machine or
// by another version, without asking a model.
#pragma once

#include <string>

#include "engine/store/reader.hpp"
#include "llm_clients/recording.hpp"

namespace ridgeline::cli {

/// What to take from a store.
struct AnswerChoice {
  std::string campaign;  ///< its name; "": the store's newest
  std::string entry;     ///< only answers of this entry of the campaign's models; "": of all
};

/// Returns the answers that the campaign had, calls of critics among them, in the order of trajectories,
/// steps and slots. The model is that which the provider named, or several with commas; `recorded_at` is when
/// the last answer came. A call that brought no text is left out: replayed, it has no recording, and fails as
/// it did. Throws BadInput for a campaign or an entry that the store does not have, and if two entries
/// answered at one address, which needs AnswerChoice::entry.
llm::Recording answers_of_store(const store::Reader& reader, const AnswerChoice& choice);

}  // namespace ridgeline::cli
