// A model behind its provider's batch endpoint: half the price, answers within a day.
//
// Requests are collected (batch_queue.hpp), sent together, and looked after until the batch has ended; each
// gets its own result. What a batch did not run (expired, cancelled) and what failed by the provider's fault
// goes into a later batch, up to `retries.attempts`. Prices of the model entry are halved here.
//
// Not paid twice. With a folder, what is in work survives this process:
//   - Before a batch is created a record of its requests is in the folder, and its id as soon as it is known.
//     The record goes ten seconds after its last request got its result (the caller has kept it by then), or
//     when nothing was created.
//   - A request has the same custom_id in every process (address and request_hash). Where a record in the
//     folder has it, it waits for that batch and is not sent again.
//   - Between the POST of a batch and the writing of its id (a kill, or a connection that breaks) nobody
//     knows whether the batch exists. It is then searched for in the provider's list, 30 seconds after its
//     POST or later: at OpenAI by a key in its metadata, which finds it for certain. Anthropic's batches
//     carry no metadata: one of as many requests created within the hour is waited for, and its results show
//     whether it is the one. What is left: a batch that the provider lists later than that is paid and not
//     found.
//   - Results come from the provider for thirty days. After them a record is removed when it is read.
// Without a folder a kill, `stop_sending` or the end of patience loses what is in work.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "llm_clients/batch_queue.hpp"
#include "llm_clients/batch_work.hpp"
#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/timers.hpp"
#include "llm_clients/transport.hpp"

namespace ridgeline::llm {

struct BatchParts {
  Model model;
  KeySource key;
  std::unique_ptr<CommandRunner> commands;  ///< for a key that is printed; else it may be null
  std::vector<std::string> secrets;         ///< besides the key
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Timers> timers;
  std::function<double()> random;  ///< uniform in [0, 1)
  std::filesystem::path folder;    ///< of records of batches in work; empty: none are kept
  OnEndpoint on_endpoint;          ///< may be empty
  BatchQueue::Limits collect;
  BatchPacing pacing;
};

/// After `stop_sending` every request comes back cancelled, in a batch or not: the journal keeps what is in
/// work.
///
/// Reads the folder. Throws BadInput where the provider of the model has no batch endpoint, or where a file
/// in the folder tells of no batch; MachineCannot where it cannot be read.
std::unique_ptr<LlmClient> make_batch_client(BatchParts parts);

}  // namespace ridgeline::llm
