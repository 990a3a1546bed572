// What a call cost.
#pragma once

#include "llm_clients/answer.hpp"
#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// USD. Input that the cache gave or took at its own price, or as input where none is named; reasoning is
/// part of output.
double cost_usd(const Usage& usage, const Prices& prices);

/// No attempt of `request` costs more. A token of the prompt is at least one byte (no tokenizer is at hand,
/// and a cap on money needs a bound, not an estimate); the output is as long as it may be; input is paid at
/// the dearest of its three prices.
Cost worst_case(const Model& model, const LlmRequest& request);

/// What an attempt of `request` that came to `answer` may have cost beyond the usage in it: nothing where
/// the usage is the last word or no model can have run, else the rest of the worst case.
Cost unsettled_cost(const Model& model, const LlmRequest& request, const Answer& answer);

}  // namespace ridgeline::llm
