#include "llm_clients/protocol.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "llm_clients/json_access.hpp"

namespace ridgeline::llm {
namespace {

constexpr std::uint64_t kLargestSeed = 0x7fffffff;

/// Sets a header in place of one with the same name: two Authorization headers are an error at some
/// servers.
void put_header(HttpHeaders& headers, const std::string& name, const std::string& value) {
  std::erase_if(headers, [&](const HttpHeader& header) { return same_header(header.name, name); });
  headers.push_back({name, value});
}

}  // namespace

const Protocol& protocol_of(Provider provider) {
  switch (provider) {
    case Provider::openai_chat:
      return openai_chat_protocol;
    case Provider::openai_completions:
      return openai_completions_protocol;
    case Provider::anthropic:
      return anthropic_protocol;
    case Provider::gemini:
      return gemini_protocol;
    case Provider::replay:
    case Provider::mailbox:
      break;
  }
  throw BadInput("the provider " + std::string(to_string(provider)) + " speaks to no server");
}

HttpRequest http_request(const Model& model, const LlmRequest& request, const std::string& key) {
  const Protocol& protocol = protocol_of(model.provider);
  HttpRequest http;
  http.url = protocol.url(model);
  http.timeouts = model.timeouts;
  http.headers = {{"Content-Type", "application/json"},
                  {"Accept", model.stream ? "text/event-stream" : "application/json"}};
  for (auto& header : protocol.other_headers()) http.headers.push_back(std::move(header));
  if (!key.empty())
    for (auto& header : protocol.key_headers(key)) http.headers.push_back(std::move(header));
  // The entry's headers come last, so that they win: Azure and gateways take the key in a header of their
  // own.
  for (const auto& [name, value] : model.headers) put_header(http.headers, name, value);
  nlohmann::json body = protocol.body(model, request);
  // A merge patch, so that `null` removes a key that a server does not know.
  if (!model.extra.empty()) body.merge_patch(nlohmann::json::parse(model.extra));
  http.body = dump_json(body);
  return http;
}

std::optional<double> effective_temperature(const Model& model, const LlmRequest& request) {
  return request.temperature >= 0 ? request.temperature : model.temperature;
}

int effective_max_tokens(const Model& model, const LlmRequest& request) {
  return request.max_output_tokens > 0 ? request.max_output_tokens : model.max_output_tokens;
}

std::optional<std::int64_t> effective_seed(const Model& model, const LlmRequest& request) {
  if (!model.send_seed || !request.seed) return std::nullopt;
  // Gemini takes a signed 32-bit seed, llama.cpp an unsigned one. Larger seeds are hashed (the last step of
  // splitmix64), so that two seeds which differ in any bit most likely stay different.
  auto seed = *request.seed;
  if (seed > kLargestSeed) {
    seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ull;
    seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebull;
    seed ^= seed >> 31;
  }
  return static_cast<std::int64_t>(seed & kLargestSeed);
}

std::string address_below(const std::string& base, const char* usual, const std::string& path,
                          const std::string& query) {
  std::string url = base.empty() ? usual : base;
  // A fragment is never sent.
  url = url.substr(0, url.find('#'));
  std::string all = query;
  if (const auto at = url.find('?'); at != std::string::npos) {
    const auto own = url.substr(at + 1);
    if (!all.empty() && !own.empty()) all += '&';
    all += own;
    url.resize(at);
  }
  // Users write base_url with and without the last slash; "//" is another path at some servers.
  while (url.ends_with('/')) url.pop_back();
  return url + path + (all.empty() ? "" : '?' + all);
}

std::string system_text(const LlmRequest& request) {
  std::string text;
  for (const auto& message : request.messages) {
    if (message.role != "system") continue;
    if (!text.empty()) text += "\n\n";
    text += message.content;
  }
  return text;
}

}  // namespace ridgeline::llm
