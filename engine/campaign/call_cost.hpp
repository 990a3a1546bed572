// Prices a campaign's calls: what is reserved before a call, and what counts against caps after it. Pure.
#pragma once

#include "engine/campaign/budget.hpp"
#include "engine/store/records.hpp"
#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::campaign {

/// Returns the model with the prices that its calls are billed at: a batch costs half the listed prices.
llm::Model billed_model(const llm::Model& model);

/// Returns the USD that the longest output of a call to `model` may cost.
double longest_output_usd(const llm::Model& model);

/// Returns the most that an attempt of `request` may cost at `model`.
llm::Cost reservation_of(const llm::Model& model, const llm::LlmRequest& request);

/// Returns the amount that counts against caps: what the provider reported, and in `unsettled` the most that
/// an attempt without a bill may have cost.
llm::Cost cost_of(const llm::Usage& usage, double usd, const llm::Cost& unsettled);

/// Returns what a recorded request spent, or all recorded requests of a campaign.
Spending spending_of(const store::AskRecord& record);
Spending spending_of(const store::Totals& totals);

}  // namespace ridgeline::campaign
