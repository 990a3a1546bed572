// What the end of one item of a batch means for the request that it was. Pure.
#pragma once

#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/batch_dialect.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// The entry as batches are asked and paid: no stream, half the prices.
Model batch_model(Model entry);

/// How an item ended, read as the ordinary endpoint's answer would be. What is empty is a failure.
struct BatchItemEnd {
  Answer answer;
  std::string raw;       ///< the answer's JSON
  bool not_run = false;  ///< the provider did not get to it: not billed
};

BatchItemEnd end_of_item(Provider provider, BatchLine line);
/// The batch ended and says nothing of this item.
BatchItemEnd end_without_line();

}  // namespace ridgeline::llm
