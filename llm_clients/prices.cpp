#include "llm_clients/prices.hpp"

#include <algorithm>

namespace ridgeline::llm {

double cost_usd(const Usage& usage, const Prices& prices) {
  const auto cached = std::min(usage.cached_input_tokens, usage.input_tokens);
  const auto fresh = usage.input_tokens - cached;
  const double millionths = static_cast<double>(fresh) * prices.input +
                            static_cast<double>(cached) * prices.cached_input.value_or(prices.input) +
                            static_cast<double>(usage.output_tokens) * prices.output;
  return millionths / 1e6;
}

}  // namespace ridgeline::llm
