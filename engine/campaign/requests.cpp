#include "engine/campaign/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"

namespace ridgeline::campaign {

using nlohmann::json;

namespace {

/// Appends what dump_json would write. Prompts are long and almost always ASCII, so runs of plain characters
/// are copied whole; text beyond ASCII is left to the library.
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
    if (*end == '\n')  // the escape that source code is full of
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
  messages.push_back({"user", std::move(prompt.user), prompt.stable_bytes});
  return messages;
}

std::string prompt_json(const std::vector<llm::Message>& messages) {
  std::string out;
  std::size_t bytes = 2;
  // A sixteenth more for escapes, 64 bytes for the keys: one allocation for all but odd prompts.
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
  // The words and their order stand in stored hashes: a change makes every journal diverge.
  const auto temperature =
      record.temperature ? fmt::format("{}", *record.temperature) : std::string("default");
  return sha256_of(
      {"ask", record.role, record.model, temperature, record.critic ? "critic" : "kernel", record.prompt});
}

Hash evaluation_hash(const Task& task, const Candidate& candidate,
                     const protocol::EvaluateSettings& settings) {
  return sha256_of({"evaluate", task.hash, candidate.hash, dump_json(json(settings))});
}

namespace {

store::TokenUsage tokens_of(const llm::Usage& usage) {
  return {usage.input_tokens, usage.output_tokens, usage.cached_input_tokens, usage.reasoning_tokens,
          usage.cache_write_tokens};
}

}  // namespace

void copy_exchange(store::AskRecord& record, llm::LlmResult result) {
  record.raw_request = std::move(result.raw_request);
  record.raw_response = std::move(result.raw_response);
  record.response_text = std::move(result.text);
  record.reasoning = std::move(result.reasoning);
  record.finish_reason = std::move(result.finish_reason);
  record.llm_status = std::string(to_string(result.status));
  record.llm_detail = std::move(result.detail);
  record.provider_model = std::move(result.provider_model);
  record.model_id = std::move(result.model_id);
  record.endpoint = std::move(result.endpoint);
  record.tokens = tokens_of(result.usage);
  record.usd = result.usd;
  record.unsettled = {result.unsettled.tokens, result.unsettled.usd};
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

void note_truncation(Answer& answer, const llm::LlmResult& result) {
  if (result.status != llm::LlmStatus::truncated) return;
  constexpr const char* what = "the answer was cut off by its length limit";
  answer.detail = answer.detail.empty() ? what : fmt::format("{} ({})", answer.detail, what);
}

std::string pause_reason(const llm::LlmResult& result, const std::string& model) {
  if (result.fault == llm::Fault::account)
    return fmt::format(
        "the model '{}' refuses every call ({}): {}. Repair its entry under models: or the account", model,
        to_string(result.status), result.detail);
  return fmt::format(
      "the model '{}' does not answer ({}): {}. `patience` of its entry says how long it is waited for",
      model, to_string(result.status), result.detail);
}

store::FailedAttemptRecord failed_attempt_record(const store::AskRecord& call,
                                                 const llm::FailedAttempt& attempt, store::Milliseconds now) {
  store::FailedAttemptRecord record;
  record.trajectory = call.trajectory;
  record.step = call.step;
  record.slot = call.slot;
  record.model = call.model;
  record.at = now;
  record.number = attempt.number;
  record.model_id = attempt.model_id;
  record.endpoint = attempt.endpoint;
  record.llm_status = std::string(to_string(attempt.status));
  record.detail = attempt.detail;
  record.tokens = tokens_of(attempt.usage);
  record.usd = attempt.usd;
  record.unsettled = {attempt.unsettled.tokens, attempt.unsettled.usd};
  record.seconds = attempt.seconds;
  record.raw_response = attempt.raw_response;
  return record;
}

std::uint64_t slot_seed(std::uint64_t trajectory_seed, int step, int slot) {
  // splitmix64's finalizer (Steele, Lea and Flood, 2014): neighbouring inputs give unrelated seeds.
  auto z = trajectory_seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(step) * 0x10001ull +
           static_cast<std::uint64_t>(slot) + 1;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return (z ^ (z >> 31)) & 0x7FFFFFFFull;
}

}  // namespace ridgeline::campaign
