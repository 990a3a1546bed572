// Turns one item of a batch's results into an answer or a failure, as the ordinary endpoint would have given
// it. Does no I/O.
#pragma once

#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/batch_dialect.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// Returns the entry as batches use it: no stream, half the prices.
Model batch_model(Model entry);

/// The end of one item. An empty answer is a failure.
struct BatchItemEnd {
  Answer answer;
  std::string raw;       ///< the answer's JSON
  bool not_run = false;  ///< the batch ended before the provider ran the item, which is not billed
};

BatchItemEnd end_of_item(Provider provider, BatchLine line);
/// The end of an item for which the results of an ended batch have no line.
BatchItemEnd end_without_line();

}  // namespace ridgeline::llm
