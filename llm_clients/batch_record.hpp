// The record of a batch under way, which lets a later process find the batch after a kill.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

struct BatchRecord {
  std::string key;  ///< drawn here before the batch is sent; sent as metadata where the provider has it
  std::string id;   ///< the provider's; empty while it is unknown whether the batch exists
  /// `id` was guessed from time and size alone: the results must show that it is this batch.
  bool guessed = false;
  Provider provider = Provider::openai_chat;
  std::string endpoint;                           ///< where batches are POSTed, no query
  std::chrono::system_clock::time_point created;  ///< by this machine's clock, in whole seconds
  std::vector<std::string> custom_ids;            ///< in the order of the batch
  std::vector<std::string> settled;   ///< those among custom_ids that got their outcome from the batch
  std::vector<std::string> not_ours;  ///< ids of batches that turned out to be another's

  bool operator==(const BatchRecord&) const = default;
};

/// Returns the id of a request within batches: 40 hex digits of a hash over the model's id, the address and
/// the journal's hash, or over `body` if the request has neither. It is the same in every process.
std::string custom_id_of(const Model& model, const LlmRequest& request, std::string_view body);

/// Writes a record as one line of JSON, without a line end.
std::string line_of(const BatchRecord& record);
/// Parses such a line. Throws BadInput that begins with `where` and names the key at fault.
BatchRecord batch_record_of(std::string_view line, const std::string& where);

}  // namespace ridgeline::llm
