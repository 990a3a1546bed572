// What a call cost.
#pragma once

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// USD. Cached input at its own price, or as input where none is named; reasoning is part of output.
double cost_usd(const Usage& usage, const Prices& prices);

}  // namespace ridgeline::llm
