// A client with the real transport against a server that follows a script, byte for byte.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "llm_clients/beast_transport.hpp"
#include "llm_clients/factory.hpp"
#include "llm_clients/provider_client.hpp"
#include "tests/llm_clients/fake_server.hpp"
#include "tests/llm_clients/fakes.hpp"
#include "tests/llm_clients/streams.hpp"

namespace ridgeline::llm::test {

inline const std::string kKey = "sk-0123456789abcdef";

/// A client with the real transport, and the server that it sends to.
struct EndToEndRig {
  FakeServer server;
  boost::asio::io_context io;
  Model model;
  TransportOptions options;
  Results results;
  std::unique_ptr<LlmClient> client;

  explicit EndToEndRig(Speaks speaks = Speaks::plain) : server(speaks) {
    model.name = "m";
    model.id = "id";
    model.base_url = (speaks == Speaks::plain ? "http://" : "https://") + server.authority() + "/v1";
    model.retries = {.attempts = 1, .base = 0, .cap = 0, .longest = 600};
    model.patience.seconds = 0;
    options.trusted_pem = server.trusted_pem();
  }

  void start() {
    ProviderParts parts;
    parts.model = model;
    parts.key = kKey;
    parts.transport = make_transport(io, options);
    parts.timers = make_timers(io);
    parts.random = [] { return 0.5; };
    client = make_provider_client(std::move(parts));
  }
  /// Sends a request and runs the io_context until its result.
  LlmResult ask(const std::string& text = "hello") {
    if (!client) start();
    client->complete({.messages = {{"user", text}}}, results.keep());
    const auto before = results.all.size();
    io.restart();
    while (results.all.size() == before && io.run_one() != 0) {
    }
    if (results.all.size() == before) throw std::runtime_error("no result, and nothing left to run");
    return results.all.back();
  }
};

inline Bytes whole_answer(const std::string& text, std::string_view more_headers = "") {
  return {response(200, R"({"choices":[{"message":{"content":")" + text + R"("},"finish_reason":"stop"}]})",
                   "application/json", more_headers)};
}

inline Bytes stream_answer(std::string_view stream = kChatStream) {
  return {chunked_head() + chunk(stream) + std::string(kLastChunk)};
}

}  // namespace ridgeline::llm::test
