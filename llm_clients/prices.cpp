#include "llm_clients/prices.hpp"

#include <algorithm>

#include "llm_clients/protocol.hpp"

namespace ridgeline::llm {

double cost_usd(const Usage& usage, const Prices& prices) {
  // A provider that reports more cached tokens than input must not make the fresh input negative.
  const auto cached = std::min(usage.cached_input_tokens, usage.input_tokens);
  const auto written = std::min(usage.cache_write_tokens, usage.input_tokens - cached);
  const auto fresh = usage.input_tokens - cached - written;
  const double millionths = static_cast<double>(fresh) * prices.input +
                            static_cast<double>(cached) * prices.cached_input.value_or(prices.input) +
                            static_cast<double>(written) * prices.cache_write.value_or(prices.input) +
                            static_cast<double>(usage.output_tokens) * prices.output;
  return millionths / 1e6;
}

Cost worst_case(const Model& model, const LlmRequest& request) {
  // Providers add a few tokens around each message (roles, separators) that the prompt's bytes do not show.
  constexpr std::int64_t kTokensAMessage = 16, kTokensARequest = 64;
  std::int64_t input = kTokensARequest;
  for (const auto& message : request.messages)
    input += static_cast<std::int64_t>(message.content.size()) + kTokensAMessage;
  const std::int64_t output = effective_max_tokens(model, request);
  const auto& prices = model.prices;
  const double dearest =
      std::max({prices.input, prices.cached_input.value_or(0), prices.cache_write.value_or(0)});
  return {input + output,
          (static_cast<double>(input) * dearest + static_cast<double>(output) * prices.output) / 1e6};
}

Cost unsettled_cost(const Model& model, const LlmRequest& request, const Answer& answer) {
  // No model ran: no connection, or an error status.
  if (answer.failure && !answer.failure->may_be_billed) return {};
  if (answer.usage.reported && answer.usage_is_final) return {};
  const auto worst = worst_case(model, request);
  const auto reported = answer.usage.input_tokens + answer.usage.output_tokens;
  return {std::max<std::int64_t>(0, worst.tokens - reported),
          std::max(0.0, worst.usd - cost_usd(answer.usage, model.prices))};
}

}  // namespace ridgeline::llm
