// The protocols of OpenAI's chat completions and plain completions, which vLLM, SGLang, llama.cpp, Ollama and
// routers speak too.
#include <nlohmann/json.hpp>

#include "llm_clients/json_access.hpp"
#include "llm_clients/prompt_format.hpp"
#include "llm_clients/protocol.hpp"
#include "llm_clients/provider_error.hpp"
#include "llm_clients/url.hpp"
#include "llm_clients/usage_reader.hpp"

namespace ridgeline::llm {
namespace {
namespace openai {

using nlohmann::json;

constexpr const char* kPublicBase = "https://api.openai.com/v1";

std::string chat_url(const Model& model) {
  return address_below(model.base_url, kPublicBase, "/chat/completions");
}
std::string completions_url(const Model& model) {
  return address_below(model.base_url, kPublicBase, "/completions");
}

HttpHeaders key_headers(const std::string& key) {
  return {{"Authorization", "Bearer " + key}};
}
HttpHeaders no_headers() {
  return {};
}

json common_body(const Model& model, const LlmRequest& request) {
  json body = {{"model", model.id}, {"stream", model.stream}};
  // Without it a stream reports no usage, and the cost of the call would stay a bound.
  if (model.stream) body["stream_options"] = {{"include_usage", true}};
  if (const auto temperature = effective_temperature(model, request)) body["temperature"] = *temperature;
  if (const auto seed = effective_seed(model, request)) body["seed"] = *seed;
  return body;
}

json chat_body(const Model& model, const LlmRequest& request) {
  json body = common_body(model, request);
  body[max_tokens_name(model)] = effective_max_tokens(model, request);
  body["messages"] = json::array();
  for (const auto& message : request.messages)
    body["messages"].push_back({{"role", message.role}, {"content", message.content}});
  return body;
}

json completions_body(const Model& model, const LlmRequest& request) {
  json body = common_body(model, request);
  body[max_tokens_name(model)] = effective_max_tokens(model, request);
  body["prompt"] = completion_prompt(model.prompt_format, request.messages);
  if (auto stops = completion_stops(model.prompt_format); !stops.empty()) body["stop"] = std::move(stops);
  return body;
}

/// Returns whether `usage` held counts.
bool read_usage(const json& usage, Answer& answer) {
  const auto input = token_count(usage, "prompt_tokens", answer);
  if (!input) return false;
  auto& to = answer.usage;
  to.input_tokens = *input;
  to.output_tokens = token_count(usage, "completion_tokens", answer).value_or(0);
  // prompt_cache_hit_tokens is DeepSeek's name for it.
  to.cached_input_tokens = token_count(member(usage, "prompt_tokens_details"), "cached_tokens", answer)
                               .value_or(token_count(usage, "prompt_cache_hit_tokens", answer).value_or(0));
  to.reasoning_tokens =
      token_count(member(usage, "completion_tokens_details"), "reasoning_tokens", answer).value_or(0);
  to.reported = true;
  return true;
}

void read_refusal(const std::string& refusal, Answer& answer) {
  if (refusal.empty()) return;
  answer.text += refusal;
  answer.refused = true;
}

/// Reads content, which is a text or a list of parts: {"type": "text", "text": …}, and (Mistral) "thinking"
/// with parts of its own.
void read_content(const json& content, std::string& to, Answer& answer) {
  if (content.is_string()) to += content.get_ref<const std::string&>();
  if (!content.is_array()) return;
  for (const auto& part : content) {
    if (!text_at(part, "thinking").empty() || member(part, "thinking").is_array())
      read_content(member(part, "thinking"), answer.reasoning, answer);
    read_refusal(text_at(part, "refusal"), answer);
    to += part.is_string() ? part.get_ref<const std::string&>() : text_at(part, "text");
  }
}

/// `function_call` is the older name, which some servers still send.
bool calls_a_tool(const json& content) {
  const auto& calls = member(content, "tool_calls");
  return (calls.is_array() && !calls.empty()) || member(content, "function_call").is_object();
}

/// Reads one choice. Its text is in `content`: its `delta` (a stream), its `message` (a whole answer), or the
/// choice itself (completions).
void read_choice(const json& choice, const json& content, Answer& answer) {
  read_content(member(content, "content"), answer.text, answer);
  answer.text += text_at(content, "text");
  // vLLM, SGLang and DeepSeek call it reasoning_content, OpenRouter and newer vLLM reasoning. Only one
  // is read, in case a server sends both.
  const auto& reasoning = text_at(content, "reasoning_content");
  answer.reasoning += reasoning.empty() ? text_at(content, "reasoning") : reasoning;
  read_refusal(text_at(content, "refusal"), answer);
  if (calls_a_tool(content)) answer.tool_call = true;
  if (const auto& reason = text_at(choice, "finish_reason"); !reason.empty()) answer.finish_reason = reason;
}

/// Reads the first choice of `body`, whose text is in `inner`. Returns whether there was one.
bool read_choices(const json& body, const char* inner, Answer& answer) {
  const auto& choices = member(body, "choices");
  bool any = false;
  if (!choices.is_array()) return any;
  for (const auto& choice : choices) {
    if (!is_first_choice(choice)) continue;
    const auto& content = member(choice, inner);
    read_choice(choice, content.is_object() ? content : choice, answer);
    any = any || !choice.is_null();
  }
  return any;
}

/// Reads model, usage and errors, which streams and whole answers share. Returns whether usage was reported.
bool read_frame(const json& body, Answer& answer) {
  if (const auto& model = text_at(body, "model"); !model.empty()) answer.provider_model = model;
  // Routers send an error as an event inside a stream that began with status 200.
  if (const auto& error = error_in(body); !error.is_null() && !answer.finished())
    answer.failure = failure_of_error(error);
  return read_usage(member(body, "usage"), answer);
}

void on_event(const json& data, Answer& answer) {
  const bool usage = read_frame(data, answer);
  read_choices(data, "delta", answer);
  // Usage comes with the last chunk or after it. Not every server sends [DONE] then, so this is the end.
  if (usage && !answer.finish_reason.empty()) answer.usage_is_final = answer.ended = true;
}

void on_whole(const json& body, Answer& answer) {
  answer.usage_is_final = read_frame(body, answer);
  if (read_choices(body, "message", answer))
    answer.ended = true;
  else if (!answer.failure)
    answer.failure = failure_of_shape("choices");
}

}  // namespace openai
}  // namespace

const char* max_tokens_name(const Model& model) {
  switch (model.max_tokens_field) {
    case MaxTokensField::max_tokens:
      return "max_tokens";
    case MaxTokensField::max_completion_tokens:
      return "max_completion_tokens";
    case MaxTokensField::automatic:
      break;
  }
  if (model.provider != Provider::openai_chat) return "max_tokens";
  // OpenAI's own reasoning models reject `max_tokens`; many other servers know no other name.
  const auto base = address_below(model.base_url, openai::kPublicBase, "");
  return parse_url(base, "base_url").host == "api.openai.com" ? "max_completion_tokens" : "max_tokens";
}

const Protocol openai_chat_protocol{openai::chat_url,  openai::key_headers, openai::no_headers,
                                    openai::chat_body, openai::on_event,    openai::on_whole,
                                    "OPENAI_API_KEY"};
const Protocol openai_completions_protocol{openai::completions_url,  openai::key_headers, openai::no_headers,
                                           openai::completions_body, openai::on_event,    openai::on_whole,
                                           "OPENAI_API_KEY"};

}  // namespace ridgeline::llm
