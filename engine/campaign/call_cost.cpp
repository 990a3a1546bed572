#include "engine/campaign/call_cost.hpp"

#include "llm_clients/batch_results.hpp"
#include "llm_clients/prices.hpp"

namespace ridgeline::campaign {
namespace {

/// The model with the prices that its calls are billed at. Halves them again if applied twice.
llm::Model billed_model(const llm::Model& model) {
  return model.batch ? llm::batch_model(model) : model;
}

}  // namespace

double longest_output_usd(const llm::Model& model) {
  return model.max_output_tokens * 1e-6 * billed_model(model).prices.output;  // prices are per million tokens
}

llm::Cost reservation_of(const llm::Model& model, const llm::LlmRequest& request) {
  return llm::worst_case(billed_model(model), request);
}

llm::Cost cost_of(const llm::Usage& usage, double usd, const llm::Cost& unsettled) {
  // Cached input is part of input, and reasoning part of output: neither is added again.
  return {usage.input_tokens + usage.output_tokens + unsettled.tokens, usd + unsettled.usd};
}

// Possible costs count as costs: a cap must hold whatever the provider's bill says.

Spending spending_of(const store::AskRecord& record) {
  return {1, 0, record.tokens.input + record.tokens.output + record.unsettled.tokens,
          record.usd + record.unsettled.usd};
}

Spending spending_of(const store::Totals& totals) {
  return {totals.calls, totals.evaluations,
          totals.tokens.input + totals.tokens.output + totals.unsettled.tokens,
          totals.usd + totals.unsettled.usd};
}

}  // namespace ridgeline::campaign
