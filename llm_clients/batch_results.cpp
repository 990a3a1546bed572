#include "llm_clients/batch_results.hpp"

#include "llm_clients/call_result.hpp"
#include "llm_clients/json_access.hpp"
#include "llm_clients/protocol.hpp"

namespace ridgeline::llm {
namespace {

constexpr double kBatchPrice = 0.5;  // share of the ordinary price, at both providers

void halve(Prices& prices) {
  prices.input *= kBatchPrice;
  prices.output *= kBatchPrice;
  for (auto* price : {&prices.cached_input, &prices.cache_write})
    // Prices that are not named follow `input`, which is halved already.
    if (*price) **price *= kBatchPrice;
}

}  // namespace

Model batch_model(Model entry) {
  entry.stream = false;
  halve(entry.prices);
  return entry;
}

BatchItemEnd end_of_item(Provider provider, BatchLine line) {
  BatchItemEnd end;
  if (const auto* whole = std::get_if<nlohmann::json>(&line.outcome)) {
    // Stored as the raw response, in the form of the ordinary endpoint.
    end.raw = dump_json(*whole);
    protocol_of(provider).on_whole(*whole, end.answer);
    fail_if_empty(end.answer);
  } else if (auto* failure = std::get_if<Failure>(&line.outcome)) {
    failure->may_be_billed = false;  // neither provider bills an item that ended in an error
    end.answer.failure = std::move(*failure);
  } else {
    const auto& word = std::get<NotRun>(line.outcome).word;
    // Neither provider bills it, and the next batch may run it.
    end.not_run = true;
    end.answer.failure =
        Failure{.status = LlmStatus::timed_out,
                .detail = "the provider ended the batch before it ran this request (" + word + ")",
                .why = word,
                .may_be_billed = false};
  }
  return end;
}

BatchItemEnd end_without_line() {
  BatchItemEnd end;
  end.answer.failure = Failure{.status = LlmStatus::malformed,
                               .detail = "the batch ended and its results have no line for this request",
                               .why = "no line in the results"};
  return end;
}

}  // namespace ridgeline::llm
