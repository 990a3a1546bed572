// The protocol of Gemini's generateContent and streamGenerateContent.
#include <nlohmann/json.hpp>

#include "llm_clients/json_access.hpp"
#include "llm_clients/protocol.hpp"
#include "llm_clients/provider_error.hpp"
#include "llm_clients/usage_reader.hpp"

namespace ridgeline::llm {
namespace {
namespace gemini {

using nlohmann::json;

std::string url(const Model& model) {
  // The list of models names them "models/…", the documentation without it. Tuned models need their full
  // name.
  const std::string id = model.id.starts_with("models/") ? model.id : "models/" + model.id;
  return address_below(model.base_url, "https://generativelanguage.googleapis.com/v1beta",
                       '/' + id + (model.stream ? ":streamGenerateContent" : ":generateContent"),
                       // Without alt=sse the stream is one JSON array, which cannot be read before its end.
                       model.stream ? "alt=sse" : "");
}

// The key goes into a header, never into the query: addresses end up in messages and logs.
HttpHeaders key_headers(const std::string& key) {
  return {{"x-goog-api-key", key}};
}
HttpHeaders no_headers() {
  return {};
}

json text_parts(const std::string& text) {
  return json::array({json{{"text", text}}});
}

json body(const Model& model, const LlmRequest& request) {
  json body = {{"contents", json::array()},
               {"generationConfig", {{"maxOutputTokens", effective_max_tokens(model, request)}}}};
  if (const auto temperature = effective_temperature(model, request))
    body["generationConfig"]["temperature"] = *temperature;
  if (const auto seed = effective_seed(model, request)) body["generationConfig"]["seed"] = *seed;
  if (const auto system = system_text(request); !system.empty())
    body["systemInstruction"] = {{"parts", text_parts(system)}};
  for (const auto& message : request.messages) {
    if (message.role == "system") continue;
    body["contents"].push_back(
        {{"role", message.role == "assistant" ? "model" : "user"}, {"parts", text_parts(message.content)}});
  }
  return body;
}

/// Gemini counts thoughts apart from candidates; the output of Usage includes both.
void read_usage(const json& usage, Answer& answer) {
  const auto input = token_count(usage, "promptTokenCount", answer);
  // Every chunk counts anew. Only the counts beside the finish reason are complete.
  answer.usage_is_final = input && !answer.finish_reason.empty();
  if (!input) return;
  auto& to = answer.usage;
  to.input_tokens = *input;
  to.cached_input_tokens = token_count(usage, "cachedContentTokenCount", answer).value_or(0);
  to.reasoning_tokens = token_count(usage, "thoughtsTokenCount", answer).value_or(0);
  to.output_tokens = token_count(usage, "candidatesTokenCount", answer).value_or(0) + to.reasoning_tokens;
  to.reported = true;
}

bool read_candidate(const json& candidate, Answer& answer) {
  const auto& parts = member(member(candidate, "content"), "parts");
  if (parts.is_array())
    for (const auto& part : parts) {
      const auto& thought = member(part, "thought");
      // A part with "thought": true is a summary of the thinking, not part of the answer.
      const bool reasoning = thought.is_boolean() && thought.get<bool>();
      (reasoning ? answer.reasoning : answer.text) += text_at(part, "text");
      if (!member(part, "functionCall").is_null()) answer.tool_call = true;
    }
  if (const auto& reason = text_at(candidate, "finishReason"); !reason.empty()) answer.finish_reason = reason;
  return candidate.is_object();
}

/// Returns whether `data` held anything of an answer. Chunks of a stream and whole answers look the same.
bool read_chunk(const json& data, Answer& answer) {
  if (const auto& error = error_in(data); !error.is_null()) {
    if (!answer.finished()) answer.failure = failure_of_error(error);
    return true;
  }
  if (const auto& version = text_at(data, "modelVersion"); !version.empty()) answer.provider_model = version;
  if (const auto& reason = text_at(member(data, "promptFeedback"), "blockReason"); !reason.empty()) {
    answer.finish_reason = reason;
    // A blocked prompt has no candidates and no finish reason; the block reason takes its place.
    answer.refused = answer.ended = true;
    read_usage(member(data, "usageMetadata"), answer);
    return true;
  }
  bool any = false;
  const auto& candidates = member(data, "candidates");
  if (candidates.is_array())
    for (const auto& candidate : candidates)
      if (is_first_choice(candidate)) any = read_candidate(candidate, answer) || any;
  read_usage(member(data, "usageMetadata"), answer);
  return any;
}

void on_event(const json& data, Answer& answer) {
  read_chunk(data, answer);
}

void on_whole(const json& data, Answer& answer) {
  bool any = false;
  if (data.is_array()) {  // streamGenerateContent without alt=sse, as some routers answer
    for (const auto& chunk : data) any = read_chunk(chunk, answer) || any;
  } else {
    any = read_chunk(data, answer);
  }
  if (!any)
    answer.failure = failure_of_shape("candidates");
  else if (!answer.failure)
    answer.ended = true;
}

}  // namespace gemini
}  // namespace

const Protocol gemini_protocol{gemini::url,      gemini::key_headers, gemini::no_headers, gemini::body,
                               gemini::on_event, gemini::on_whole,    "GEMINI_API_KEY"};

}  // namespace ridgeline::llm
