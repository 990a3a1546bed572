// Makes a campaign ask nobody: its models answer what they answered in a store, so that the same candidates
// are judged again, on another machine or by another version.
#pragma once

#include <string>

#include "engine/campaign/config.hpp"

namespace ridgeline::cli {

/// Lets each of config's models answer what it gave in `store`, from a recording that is written into
/// `folder`, which is made. An entry's name, temperature, limits and prices stay (those of batches as they
/// were billed); what says how to reach its provider goes, from config.text too.
/// Uses the newest branch of the store's campaign called config.name, else the newest campaign. A model that
/// was not asked there gets an empty recording: its calls end as missing_recording. So do calls that cannot
/// be replayed (answers_of_store.hpp).
/// Throws BadInput if `store` is config.store or holds no campaign, before it writes anything; and if none of
/// config's models was asked in that campaign, when the files are written. Throws MachineCannot if they
/// cannot be written.
void let_store_answer(campaign::CampaignConfig& config, const std::string& store, const std::string& folder);

}  // namespace ridgeline::cli
