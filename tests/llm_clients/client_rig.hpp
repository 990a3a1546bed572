// A provider's client on ports that are turned by hand.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "llm_clients/provider_client.hpp"
#include "tests/llm_clients/fakes.hpp"

namespace ridgeline::llm::test {

struct ClientRig {
  Clock clock;
  std::deque<Sent> wire;
  Results results;
  Model model;
  std::string key = "sk-very/secret\"key-123";
  Endpoints endpoints;
  std::vector<EndpointState> states;
  std::vector<FailedAttempt> failed;  ///< of all requests, in order
  bool may_go_on = true;              ///< what on_failed_attempt answers
  std::unique_ptr<LlmClient> client;

  /// Without patience, as most tests want to see a request given up.
  ClientRig() {
    model.name = "m";
    model.id = "id";
    model.base_url = "https://api.example/v1";
    model.max_output_tokens = 100;
    model.prices = {.input = 2, .cached_input = {}, .output = 10};
    model.patience.seconds = 0;
  }

  void start() { client = make(model); }
  std::unique_ptr<LlmClient> make(const Model& entry) {
    ProviderParts parts;
    parts.model = entry;
    parts.key = key;
    parts.transport = std::make_unique<RecordingTransport>(wire);
    parts.timers = std::make_unique<ManualTimers>(clock);
    parts.random = [] { return 0.5; };
    parts.on_endpoint = [this](const EndpointState& state) { states.push_back(state); };
    parts.endpoints = &endpoints;
    return make_provider_client(std::move(parts));
  }
  LlmRequest request(const std::string& text) {
    LlmRequest made{.messages = {{"user", text}}};
    made.on_failed_attempt = [this](const FailedAttempt& attempt) {
      failed.push_back(attempt);
      return may_go_on;
    };
    return made;
  }
  void ask(const std::string& text = "hello") {
    if (!client) start();
    client->complete(request(text), results.keep());
    clock.run();
  }
  void turn_away(std::size_t which, int status, HttpHeaders headers = {}, std::string_view body = "") {
    wire.at(which).answer(status, std::move(headers), body);
    clock.run();
  }
  void answer(std::size_t which, const std::string& text = "ok") {
    wire.at(which).answer_text(text);
    clock.run();
  }
  void break_off(std::size_t which, const HttpEnd& end) {
    const auto handler = std::move(wire.at(which).handlers.end);
    handler(end);
    clock.run();
  }
  const Sent& last() const { return wire.back(); }
};

}  // namespace ridgeline::llm::test
