// A model behind HTTP: queue, limits, attempts, retries, and the wait for an endpoint that is out. All I/O is
// behind its two ports, so that it is tested without a socket and without a clock.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "llm_clients/client.hpp"
#include "llm_clients/command_runner.hpp"
#include "llm_clients/endpoint.hpp"
#include "llm_clients/key_source.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/timers.hpp"
#include "llm_clients/transport.hpp"

namespace ridgeline::llm {

struct ProviderParts {
  struct Way {
    Model model;  ///< the entry with one address in it
    KeySource key;
  };

  Model model;                       ///< values of `headers` with their variables replaced
  std::string key;                   ///< empty: none
  std::vector<Way> ways;             ///< in place of model's address and `key`, in the order of trying them
  std::vector<std::string> secrets;  ///< besides the keys
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Timers> timers;
  std::unique_ptr<CommandRunner> commands;  ///< for keys that are printed
  std::function<double()> random;           ///< uniform in [0, 1)
  OnEndpoint on_endpoint;                   ///< may be empty
  Endpoints* endpoints = nullptr;           ///< those of all clients; null: this client has its own
};

/// `parts.model` has a provider with a protocol, and an `extra` that is empty or a JSON object.
std::unique_ptr<LlmClient> make_provider_client(ProviderParts parts);

/// What a request is expected to use, for the limit on tokens: a token for four bytes of prompt (no tokenizer
/// is at hand; usage settles it afterwards) and all of its output.
std::int64_t estimated_tokens(const Model& model, const LlmRequest& request);

}  // namespace ridgeline::llm
