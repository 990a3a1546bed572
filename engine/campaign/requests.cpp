#include "engine/campaign/requests.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::campaign {

using nlohmann::json;

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

std::vector<Message> messages_of(const prompts::RenderedPrompt& prompt) {
  std::vector<Message> messages;
  if (!prompt.system.empty()) messages.push_back({"system", prompt.system});
  messages.push_back({"user", prompt.user});
  return messages;
}

std::string prompt_json(const std::vector<Message>& messages) {
  auto out = json::array();
  for (const auto& message : messages) out.push_back({{"role", message.role}, {"content", message.content}});
  return dump_json(out);
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
  const auto how = fmt::format("{} {} {} {} {} {}", settings.isolation, settings.time, settings.profile,
                               settings.timing_cap_seconds, settings.hidden_cases, settings.final_cases);
  return sha256_of({"evaluate", task.hash, candidate.hash, flags, how});
}

void keep_exchange(store::AskRecord& record, LlmResult result) {
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

Answer failed_answer(const LlmResult& result) {
  const auto status = result.status == LlmStatus::missing_recording ? AnswerStatus::missing_recording
                                                                    : AnswerStatus::model_failed;
  return Answer{status, result.text, fmt::format("{}: {}", to_string(result.status), result.detail),
                std::nullopt};
}

Answer answer_of(const store::AskEntry& entry) {
  return Answer{entry.record.status, entry.record.response_text, entry.record.detail, entry.candidate};
}

void refuse_hopeless(const LlmResult& result, const std::string& model) {
  if (result.status != LlmStatus::unauthorized && result.status != LlmStatus::not_found) return;
  throw BadInput(
      fmt::format("the model '{}' cannot be asked ({}): {}. Mend its entry under models: and run the "
                  "campaign again; it goes on where it stopped",
                  model, to_string(result.status), result.detail));
}

}  // namespace ridgeline::campaign
