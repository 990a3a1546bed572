#include "llm_clients/protocol.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "llm_clients/json_access.hpp"

namespace ridgeline::llm {

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
  nlohmann::json body = protocol.body(model, request);
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

std::string base_or(const std::string& base, const char* usual) {
  std::string url = base.empty() ? usual : base;
  while (url.ends_with('/')) url.pop_back();
  return url;
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
