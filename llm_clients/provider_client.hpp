// The client of a provider over HTTP: queue, limits, attempts, retries, and the wait for a failing endpoint.
// All I/O is behind two ports, Transport and Timers, so that tests need neither a socket nor a clock.
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
  struct Address {
    Model model;  ///< the entry with this address as its base_url
    KeySource key;
  };

  Model model;                       ///< the entry, with variables in its headers replaced
  std::string key;                   ///< empty: none; unused with `addresses`
  std::vector<Address> addresses;    ///< tried in this order; empty: the address in `model`
  std::vector<std::string> secrets;  ///< to be redacted, besides the keys
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Timers> timers;
  std::unique_ptr<CommandRunner> commands;  ///< runs key_command; may be null if there is none
  std::function<double()> random;           ///< uniform in [0, 1)
  OnEndpoint on_endpoint;                   ///< may be empty
  Endpoints* endpoints = nullptr;           ///< shared by all clients; null: this client has its own
};

/// Makes the client. The caller has checked that `parts.model` has a provider with a protocol, and an `extra`
/// that is empty or a JSON object.
std::unique_ptr<LlmClient> make_provider_client(ProviderParts parts);

/// Estimates the tokens of a request for the limit per minute: one for four bytes of prompt (there is no
/// tokenizer here; the reported usage corrects it afterwards), and all of the output that it may use.
std::int64_t estimated_tokens(const Model& model, const LlmRequest& request);

}  // namespace ridgeline::llm
