// Computes what calls cost, and bounds what they may cost.
#pragma once

#include "llm_clients/answer.hpp"
#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// Returns the cost in USD. Tokens read from or written to the cache have their own price, or that of input
/// if none is named. Reasoning is part of output.
double cost_usd(const Usage& usage, const Prices& prices);

/// Returns an upper bound of the cost of one attempt. It counts a token per byte of prompt (a token has at
/// least one byte; there is no tokenizer here, and a cap on money needs a bound, not an estimate), the
/// longest output allowed, and the highest of the three prices of input.
Cost worst_case(const Model& model, const LlmRequest& request);

/// Bounds what an attempt that ended in `answer` may have cost beyond the usage in it. Returns zero if the
/// usage is final or no model can have run, else the rest of the worst case.
Cost unsettled_cost(const Model& model, const LlmRequest& request, const Answer& answer);

}  // namespace ridgeline::llm
