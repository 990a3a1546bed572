#include "llm_clients/recorded_json.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "llm_clients/json_access.hpp"
#include "llm_clients/usage_reader.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;

const json& required(const json& object, const char* key, const std::string& where) {
  const auto& value = member(object, key);
  if (value.is_null()) throw BadInput(where + ": the key \"" + key + "\" is missing");
  return value;
}

std::string required_text(const json& object, const char* key, const std::string& where) {
  const auto& value = required(object, key, where);
  if (!value.is_string()) throw BadInput(where + ": \"" + key + "\" must be a string");
  return value.get<std::string>();
}

template <class Integer>
Integer required_count(const json& object, const char* key, const std::string& where) {
  const auto& value = required(object, key, where);
  // Excludes negative numbers and fractions, which the conversion would wrap silently.
  if (!value.is_number_unsigned())
    throw BadInput(where + ": \"" + key + "\" must be a whole number, 0 or more");
  return value.get<Integer>();
}

json usage_json(const Usage& usage) {
  // null and zeros differ: zeros would mean a call that cost nothing.
  if (!usage.reported) return nullptr;
  return {{"input_tokens", usage.input_tokens},
          {"output_tokens", usage.output_tokens},
          {"cached_input_tokens", usage.cached_input_tokens},
          {"cache_write_tokens", usage.cache_write_tokens},
          {"reasoning_tokens", usage.reasoning_tokens}};
}

}  // namespace

Usage usage_of(const json& value, std::string* problem) {
  if (!value.is_object()) return {};
  Answer answer;
  // Zeros would mean a call that cost nothing: an object without any of these counts reports none.
  bool reported = false;
  const auto count = [&](const char* key) {
    const auto tokens = token_count(value, key, answer);
    reported = reported || tokens.has_value();
    return tokens.value_or(0);
  };
  answer.usage = {.input_tokens = count("input_tokens"),
                  .output_tokens = count("output_tokens"),
                  .cached_input_tokens = count("cached_input_tokens"),
                  .cache_write_tokens = count("cache_write_tokens"),
                  .reasoning_tokens = count("reasoning_tokens")};
  answer.usage.reported = reported;
  discard_impossible_usage(answer);
  if (problem) *problem = answer.usage_problem;
  return answer.usage;
}

json messages_json(const std::vector<Message>& messages) {
  json array = json::array();
  for (const auto& message : messages)
    array.push_back({{"role", message.role}, {"content", message.content}});
  return array;
}

std::string messages_text(const std::vector<Message>& messages) {
  return dump_json(messages_json(messages));
}

std::vector<Message> messages_of(const json& value, const std::string& where) {
  if (!value.is_array()) throw BadInput(where + ": the messages must be a list of {\"role\", \"content\"}");
  std::vector<Message> messages;
  for (const auto& entry : value)
    messages.push_back({required_text(entry, "role", where), required_text(entry, "content", where)});
  return messages;
}

std::string recorded_line(const RecordedAnswer& answer) {
  // In this order, so that a person can read a line from the address to the answer.
  nlohmann::ordered_json line;
  line["task"] = answer.address.task;
  line["strategy"] = answer.address.strategy;
  line["seed"] = answer.address.seed;
  line["step"] = answer.address.step;
  line["slot"] = answer.address.slot;
  line["request_hash"] = answer.request_hash;
  line["prompt"] = messages_json(answer.prompt);
  line["text"] = answer.text;
  line["reasoning"] = answer.reasoning;
  line["finish_reason"] = answer.finish_reason;
  line["usage"] = usage_json(answer.usage);
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

RecordedAnswer answer_of_line(const std::string& line, const std::string& where) {
  const json object = json::parse(line, nullptr, false);
  if (!object.is_object())
    throw BadInput(
        where +
        ": the line is no JSON object, and a recording has one answer a line; copy or record it again");
  RecordedAnswer answer;
  answer.address = {.task = required_text(object, "task", where),
                    .strategy = required_text(object, "strategy", where),
                    .seed = required_count<std::uint64_t>(object, "seed", where),
                    .step = required_count<std::int64_t>(object, "step", where),
                    .slot = required_count<std::int64_t>(object, "slot", where)};
  // Optional, so that recordings can be written by hand.
  answer.request_hash = text_at(object, "request_hash");
  answer.prompt = messages_of(required(object, "prompt", where), where);
  answer.text = required_text(object, "text", where);
  answer.reasoning = text_at(object, "reasoning");
  answer.finish_reason = text_at(object, "finish_reason");
  answer.usage = usage_of(member(object, "usage"));
  return answer;
}

}  // namespace ridgeline::llm
