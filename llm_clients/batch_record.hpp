// What is remembered of a batch while it is in work: enough to find it again after a kill.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

struct BatchRecord {
  std::string
      key;  ///< drawn here before the batch is sent; goes along as metadata where there is such a thing
  std::string id;  ///< the provider's; empty while it is not known whether the batch exists
  /// `id` was found by its time and size alone: the results must show that the batch is this one.
  bool guessed = false;
  Provider provider = Provider::openai_chat;
  std::string endpoint;                           ///< where batches are POSTed, no query
  std::chrono::system_clock::time_point created;  ///< by this machine's clock, in whole seconds
  std::vector<std::string> custom_ids;            ///< in the order of the batch
  std::vector<std::string> settled;               ///< of those: requests got what the batch had for them
  std::vector<std::string> not_ours;              ///< ids of batches that turned out to be another's

  bool operator==(const BatchRecord&) const = default;
};

/// The same request has the same one in every process: 40 hex digits of a hash over the model's id, the
/// address and the journal's hash, or over `body` where a request has neither.
std::string custom_id_of(const Model& model, const LlmRequest& request, std::string_view body);

/// One line of JSON, without its line end.
std::string line_of(const BatchRecord& record);
/// Throws BadInput, `where` in front, saying what is wrong with it.
BatchRecord batch_record_of(std::string_view line, const std::string& where);

}  // namespace ridgeline::llm
