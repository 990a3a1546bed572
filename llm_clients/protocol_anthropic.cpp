// The protocol of Anthropic's Messages API (POST /v1/messages).
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "llm_clients/json_access.hpp"
#include "llm_clients/protocol.hpp"
#include "llm_clients/provider_error.hpp"
#include "llm_clients/url.hpp"
#include "llm_clients/usage_reader.hpp"

namespace ridgeline::llm {
namespace {
namespace anthropic {

using nlohmann::json;

constexpr int kMostMarks = 4;  // Anthropic answers 400 to a request with more cache marks

std::string url(const Model& model) {
  const auto base = address_below(model.base_url, "https://api.anthropic.com", "");
  // Anthropic's own client wants a base without "/v1", proxies document one with it: both work here.
  const bool versioned = without_query(base).ends_with("/v1");
  return address_below(base, "", versioned ? "/messages" : "/v1/messages");
}

HttpHeaders key_headers(const std::string& key) {
  return {{"x-api-key", key}};
}
HttpHeaders other_headers() {
  // The header is required. Anthropic has kept this version compatible since 2023.
  return {{"anthropic-version", "2023-06-01"}};
}

json text_block(std::string text, bool marked) {
  json block = {{"type", "text"}, {"text", std::move(text)}};
  if (marked) block["cache_control"] = {{"type", "ephemeral"}};
  return block;
}

/// A mark ends a prefix that Anthropic caches for later requests with the same beginning. Reading the cache
/// is cheaper than input, writing it is dearer. Anthropic ignores a mark whose prefix is too short (under
/// 1,024 tokens, 2,048 for small models), which the built-in system message alone is.
json system_of(const Model& model, std::string text) {
  if (!model.cache) return text;
  return json::array({text_block(std::move(text), true)});
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Returns a message with a stable beginning as two blocks, of which the first is marked. Anthropic answers
/// 400 to an empty or blank block, so a part without visible text is joined to the other one.
json content_of(const Message& message, bool marked) {
  const auto& text = message.content;
  const auto stable = std::min(message.stable_bytes, text.size());
  if (!marked || is_blank(std::string_view(text).substr(0, stable))) return text;
  if (is_blank(std::string_view(text).substr(stable))) return json::array({text_block(text, true)});
  return json::array({text_block(text.substr(0, stable), true), text_block(text.substr(stable), false)});
}

json body(const Model& model, const LlmRequest& request) {
  json body = {{"model", model.id},
               {"max_tokens", effective_max_tokens(model, request)},
               {"stream", model.stream},
               {"messages", json::array()}};
  if (const auto temperature = effective_temperature(model, request)) body["temperature"] = *temperature;
  if (auto system = system_text(request); !system.empty())
    body["system"] = system_of(model, std::move(system));
  // The system message comes first in the prefix, so it has the first mark.
  int marks_left = kMostMarks - static_cast<int>(model.cache && body.contains("system"));
  for (const auto& message : request.messages) {
    // Messages of the role "system" are refused inside `messages`; they went into `system` above.
    if (message.role == "system") continue;
    const bool marked = model.cache && message.stable_bytes > 0 && marks_left > 0;
    marks_left -= static_cast<int>(marked);
    body["messages"].push_back({{"role", message.role}, {"content", content_of(message, marked)}});
  }
  return body;
}

/// Later events repeat the counts, so they replace earlier ones: message_start has a preliminary output
/// count, message_delta the final one. Anthropic's input_tokens exclude cached tokens; they are added here,
/// because Usage includes them.
void read_usage(const json& usage, Answer& answer) {
  if (!usage.is_object()) return;
  auto& to = answer.usage;
  if (const auto input = token_count(usage, "input_tokens", answer)) {
    to.cached_input_tokens = token_count(usage, "cache_read_input_tokens", answer).value_or(0);
    to.cache_write_tokens = token_count(usage, "cache_creation_input_tokens", answer).value_or(0);
    to.input_tokens = *input + to.cached_input_tokens + to.cache_write_tokens;
  }
  const auto output = token_count(usage, "output_tokens", answer);
  if (output) to.output_tokens = *output;
  to.reported = true;
  // message_start counts output too, before any was written. Only counts that follow the stop reason are
  // final.
  answer.usage_is_final = output && !answer.finish_reason.empty();
}

void read_block(const json& block, Answer& answer) {
  const auto& type = text_at(block, "type");
  if (type == "tool_use" || type == "server_tool_use") answer.tool_call = true;
  answer.text += text_at(block, "text");
  answer.reasoning += text_at(block, "thinking");
}

void read_stop(const json& holder, Answer& answer) {
  if (const auto& reason = text_at(holder, "stop_reason"); !reason.empty()) answer.finish_reason = reason;
}

bool read_error(const json& data, Answer& answer) {
  const auto& error = error_in(data);
  // An error after the stop reason does not undo the answer.
  if (error.is_null() || answer.finished()) return false;
  answer.failure = failure_of_error(error);
  return true;
}

void on_event(const json& data, Answer& answer) {
  const auto& type = text_at(data, "type");
  if (type == "message_start") {
    const auto& message = member(data, "message");
    answer.provider_model = text_at(message, "model");
    read_usage(member(message, "usage"), answer);
  } else if (type == "content_block_start") {
    read_block(member(data, "content_block"), answer);
  } else if (type == "content_block_delta") {
    read_block(member(data, "delta"), answer);
  } else if (type == "message_delta") {
    read_stop(member(data, "delta"), answer);
    read_usage(member(data, "usage"), answer);
  } else if (type == "message_stop") {
    answer.ended = true;
    // "ping" and types that Anthropic adds later are no errors and change nothing.
  } else {
    read_error(data, answer);
  }
}

void on_whole(const json& data, Answer& answer) {
  if (read_error(data, answer)) return;
  const auto& content = member(data, "content");
  if (content.is_string()) answer.text += content.get<std::string>();
  if (!content.is_array() && !content.is_string()) {
    answer.failure = failure_of_shape("content");
    return;
  }
  if (content.is_array())
    for (const auto& block : content) read_block(block, answer);
  answer.provider_model = text_at(data, "model");
  read_stop(data, answer);
  read_usage(member(data, "usage"), answer);
  answer.ended = true;
}

}  // namespace anthropic
}  // namespace

const Protocol anthropic_protocol{anthropic::url,     anthropic::key_headers, anthropic::other_headers,
                                  anthropic::body,    anthropic::on_event,    anthropic::on_whole,
                                  "ANTHROPIC_API_KEY"};

}  // namespace ridgeline::llm
