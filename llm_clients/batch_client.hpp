// A model behind its provider's batch endpoint: half the price, answers within a day (a rule of both OpenAI
// and Anthropic).
//
// The client collects requests (batch_queue.hpp), sends them as a batch, and polls until the batch has ended.
// Each request gets its own result. A request that the batch did not run (expired, cancelled), or that failed
// by the provider's fault, goes into a later batch, up to `retries.attempts`. The client halves the prices of
// the model entry.
//
// No request is paid twice. With a folder, batches survive a kill of this process:
//   - The client writes a record of a batch's requests before it creates the batch, and adds the batch's id
//     as soon as it knows it. It removes the record ten seconds after the last request got its result (by
//     then the caller has stored it), or when the batch was not created.
//   - A request has the same custom_id in every process (hashed from address and request_hash). If a record
//     in the folder has that id, the request waits for the recorded batch and is not sent again.
//   - After a kill or a broken connection between the POST of a batch and the writing of its id, it is
//     unknown whether the batch exists. The client then searches the provider's list, 30 seconds after the
//     POST or later. At OpenAI a key in the batch's metadata identifies it. Anthropic's batches carry no
//     metadata: the client waits for a batch with as many requests, created within the hour, whose results
//     show whether it is the right one. One gap remains: a batch that the provider lists only after the
//     search is paid and lost.
//   - Providers keep results for thirty days. The client removes an older record when it reads it.
// Without a folder, a kill, `stop_sending` or the end of patience loses the batches under way.
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
  std::unique_ptr<CommandRunner> commands;  ///< runs key_command; may be null if the entry has none
  std::vector<std::string> secrets;         ///< to be redacted, besides the key
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Timers> timers;
  std::function<double()> random;  ///< uniform in [0, 1)
  std::filesystem::path folder;    ///< holds the records of batches; empty: none are written
  OnEndpoint on_endpoint;          ///< may be empty
  BatchQueue::Limits collect;
  BatchPacing pacing;
};

/// Makes the client and reads the folder. After `stop_sending` every request comes back cancelled, in a batch
/// or not; the records let a later process fetch the results.
///
/// Throws BadInput if the provider has no batch endpoint or a file in the folder is no batch record;
/// MachineCannot if the folder cannot be read.
std::unique_ptr<LlmClient> make_batch_client(BatchParts parts);

}  // namespace ridgeline::llm
