// Prices a campaign's calls: what is reserved before a call, and what counts against caps after it. Pure.
//
// Each `model` has the prices of the campaign file; these functions apply the discount of batches to it.
#pragma once

#include "engine/campaign/budget.hpp"
#include "engine/store/records.hpp"
#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::campaign {

/// Returns the USD that the longest output of a call to `model` may cost.
double longest_output_usd(const llm::Model& model);

/// Returns the most that an attempt of `request` may cost at `model`.
llm::Cost reservation_of(const llm::Model& model, const llm::LlmRequest& request);

/// Returns what counts against caps: `usage` and `usd`, which the provider reported, plus `unsettled`, the
/// most that a call which broke off may have cost beyond them.
llm::Cost cost_of(const llm::Usage& usage, double usd, const llm::Cost& unsettled);

/// Returns what a recorded request spent, or all that a campaign has on record, with what is unsettled.
Spending spending_of(const store::AskRecord& record);
Spending spending_of(const store::Totals& totals);

}  // namespace ridgeline::campaign
