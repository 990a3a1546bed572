#include "engine/campaign/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::campaign {

using nlohmann::json;

namespace {

/// As dump_json writes a string. Prompts are long and almost always ASCII: their plain runs are copied whole.
void append_json_string(std::string& out, const std::string& text) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > 0x7F; })) {
    out += dump_json(json(text));
    return;
  }
  const auto plain = [](char c) { return c >= 0x20 && c != '"' && c != '\\'; };
  out += '"';
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), plain);
    out.append(at, end);
    if (end == text.end()) break;
    if (*end == '\n')
      out += "\\n";
    else
      out.append(dump_json(json(std::string(1, *end))), 1, std::string::npos).pop_back();
    at = end + 1;
  }
  out += '"';
}

}  // namespace

store::AskRecord draft_ask(store::Id trajectory, int step, int slot, int round, const Ask& ask) {
  store::AskRecord record;
  record.trajectory = trajectory;
  record.step = step;
  record.slot = slot;
  record.round = round;
  record.role = ask.role;
  record.critic = ask.critic;
  record.temperature = ask.temperature;
  if (ask.change) record.change = ask.change->candidate.hash;
  auto feedback = json::array();
  for (const auto& item : ask.feedback) {
    json entry{{"kind", std::string(kind_of(item.data))}, {"about", item.candidate}};
    feedback.push_back(std::move(entry));
  }
  record.feedback = feedback.dump();
  return record;
}

std::vector<llm::Message> messages_of(prompts::RenderedPrompt prompt) {
  std::vector<llm::Message> messages;
  if (!prompt.system.empty()) messages.push_back({"system", std::move(prompt.system)});
  messages.push_back({"user", std::move(prompt.user)});
  return messages;
}

std::string prompt_json(const std::vector<llm::Message>& messages) {
  std::string out;
  std::size_t bytes = 2;
  for (const auto& message : messages) bytes += message.content.size() * 17 / 16 + 64;
  out.reserve(bytes);
  for (const auto& message : messages) {
    out += out.empty() ? "[{\"content\":" : ",{\"content\":";
    append_json_string(out, message.content);
    out += ",\"role\":";
    append_json_string(out, message.role);
    out += '}';
  }
  return out.empty() ? "[]" : out + ']';
}

Hash request_hash_of(const store::AskRecord& record) {
  const auto temperature =
      record.temperature ? fmt::format("{}", *record.temperature) : std::string("default");
  return sha256_of(
      {"ask", record.role, record.model, temperature, record.critic ? "critic" : "kernel", record.prompt});
}

Hash evaluation_hash(const Task& task, const Candidate& candidate,
                     const protocol::EvaluateSettings& settings) {
  std::string flags;
  for (const auto& flag : settings.build_flags) flags += flag + "\n";
  auto how = fmt::format("{} {} {} {} {} {}", settings.isolation, settings.time, settings.profile,
                         settings.timing_cap_seconds, settings.hidden_cases, settings.final_cases);
  // Only what is not the default is told, so that records from before the setting keep their hashes.
  if (!settings.torch_headers) how += " without torch's headers";
  if (settings.energy) how += " with energy";
  if (settings.fallback != Fallback::allow) how += fmt::format(" fallback {}", to_string(settings.fallback));
  return sha256_of({"evaluate", task.hash, candidate.hash, flags, how});
}

void keep_exchange(store::AskRecord& record, llm::LlmResult result) {
  record.raw_request = std::move(result.raw_request);
  record.raw_response = std::move(result.raw_response);
  record.response_text = std::move(result.text);
  record.reasoning = std::move(result.reasoning);
  record.finish_reason = std::move(result.finish_reason);
  record.llm_status = std::string(to_string(result.status));
  record.llm_detail = std::move(result.detail);
  record.provider_model = std::move(result.provider_model);
  record.tokens = {result.usage.input_tokens, result.usage.output_tokens, result.usage.cached_input_tokens,
                   result.usage.reasoning_tokens};
  record.usd = result.usd;
  record.seconds = result.seconds;
  record.attempts = result.attempts;
  record.diverged = result.diverged;
}

Answer failed_answer(const llm::LlmResult& result) {
  const auto status = result.status == llm::LlmStatus::missing_recording ? AnswerStatus::missing_recording
                                                                         : AnswerStatus::model_failed;
  return Answer{status, result.text, fmt::format("{}: {}", to_string(result.status), result.detail),
                std::nullopt};
}

Answer answer_of(const store::AskEntry& entry) {
  return Answer{entry.record.status, entry.record.response_text, entry.record.detail, entry.candidate};
}

void refuse_hopeless(const llm::LlmResult& result, const std::string& model) {
  if (result.status != llm::LlmStatus::unauthorized && result.status != llm::LlmStatus::not_found) return;
  throw BadInput(
      fmt::format("the model '{}' cannot be asked ({}): {}. Mend its entry under models: and run the "
                  "campaign again; it goes on where it stopped",
                  model, to_string(result.status), result.detail));
}

}  // namespace ridgeline::campaign
