#include "llm_clients/error_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "llm_clients/json_access.hpp"

namespace ridgeline::llm {
namespace {

struct Word {
  std::string_view word;
  LlmStatus status;
  Blame blame;
};

// Values of `code`, `type`, `status` and `reason` in error objects. Words of one provider stand beside those
// of others, because routers pass them on unchanged.
constexpr auto kWords = std::to_array<Word>({
    // The account has no credit. OpenAI sends insufficient_quota with a 429, which otherwise passes by
    // itself.
    {"insufficient_quota", LlmStatus::rate_limited, Blame::account},
    {"exceeded_current_quota_error", LlmStatus::rate_limited, Blame::account},
    {"billing_error", LlmStatus::unauthorized, Blame::account},
    {"billing_hard_limit_reached", LlmStatus::unauthorized, Blame::account},
    {"billing_not_active", LlmStatus::unauthorized, Blame::account},
    {"insufficient_balance", LlmStatus::unauthorized, Blame::account},
    {"Arrearage", LlmStatus::unauthorized, Blame::account},
    {"account_deactivated", LlmStatus::unauthorized, Blame::account},
    {"access_terminated", LlmStatus::unauthorized, Blame::account},
    {"BILLING_DISABLED", LlmStatus::unauthorized, Blame::account},
    {"CONSUMER_SUSPENDED", LlmStatus::unauthorized, Blame::account},
    {"SERVICE_DISABLED", LlmStatus::unauthorized, Blame::account},
    // The key is refused, or the country.
    {"invalid_api_key", LlmStatus::unauthorized, Blame::account},
    {"authentication_error", LlmStatus::unauthorized, Blame::account},
    {"UNAUTHENTICATED", LlmStatus::unauthorized, Blame::account},
    {"API_KEY_INVALID", LlmStatus::unauthorized, Blame::account},
    {"API_KEY_SERVICE_BLOCKED", LlmStatus::unauthorized, Blame::account},
    {"API_KEY_HTTP_REFERRER_BLOCKED", LlmStatus::unauthorized, Blame::account},
    {"API_KEY_IP_ADDRESS_BLOCKED", LlmStatus::unauthorized, Blame::account},
    {"ACCESS_TOKEN_EXPIRED", LlmStatus::unauthorized, Blame::account},
    {"unsupported_country_region_territory", LlmStatus::unauthorized, Blame::account},
    // Denied to the whole entry or to this request; which of the two, earlier answers tell (targets.hpp).
    {"permission_error", LlmStatus::unauthorized, Blame::denied},
    {"PERMISSION_DENIED", LlmStatus::unauthorized, Blame::denied},
    {"model_not_found", LlmStatus::not_found, Blame::denied},
    {"not_found_error", LlmStatus::not_found, Blame::denied},
    {"NotFoundError", LlmStatus::not_found, Blame::denied},
    {"NOT_FOUND", LlmStatus::not_found, Blame::denied},
    {"invalid_model", LlmStatus::bad_request, Blame::denied},
    {"unknown_parameter", LlmStatus::bad_request, Blame::denied},
    {"unsupported_parameter", LlmStatus::bad_request, Blame::denied},
    {"unsupported_value", LlmStatus::bad_request, Blame::denied},
    // The request itself is at fault.
    {"context_length_exceeded", LlmStatus::context_exceeded, Blame::request},
    {"exceed_context_size_error", LlmStatus::context_exceeded, Blame::request},
    {"string_above_max_length", LlmStatus::context_exceeded, Blame::request},
    {"invalid_prompt", LlmStatus::refused, Blame::request},
    {"content_filter", LlmStatus::refused, Blame::request},
    {"content_policy_violation", LlmStatus::refused, Blame::request},
    {"invalid_request_error", LlmStatus::bad_request, Blame::request},
    {"request_too_large", LlmStatus::bad_request, Blame::request},
    {"BadRequestError", LlmStatus::bad_request, Blame::request},
    {"INVALID_ARGUMENT", LlmStatus::bad_request, Blame::request},
    {"FAILED_PRECONDITION", LlmStatus::bad_request, Blame::request},
    // The server is at fault, or a limit that passes with time.
    {"rate_limit_error", LlmStatus::rate_limited, Blame::endpoint},
    {"rate_limit_exceeded", LlmStatus::rate_limited, Blame::endpoint},
    {"RESOURCE_EXHAUSTED", LlmStatus::rate_limited, Blame::endpoint},
    {"overloaded_error", LlmStatus::overloaded, Blame::endpoint},
    {"UNAVAILABLE", LlmStatus::overloaded, Blame::endpoint},
    {"timeout_error", LlmStatus::timed_out, Blame::endpoint},
    {"DEADLINE_EXCEEDED", LlmStatus::timed_out, Blame::endpoint},
    {"api_error", LlmStatus::server_error, Blame::endpoint},
    {"server_error", LlmStatus::server_error, Blame::endpoint},
    {"INTERNAL", LlmStatus::server_error, Blame::endpoint},
});

// Phrases in lower case, long enough that a message which only mentions the subject does not contain them.
constexpr auto kTooLong = std::to_array<std::string_view>({
    "maximum context length",
    "maximum prompt length",
    "prompt is too long",
    "context_length_exceeded",
    "context length exceeded",
    "exceeds the maximum number of tokens",
    "longer than the maximum model length",
    "longer than the model's context length",
    "exceed context limit",
    "exceeds the available context size",
    "exceeds the context window",
    "exceeds maximum context",
    "reduce the length of the messages",
    "input is too long for requested model",
});
constexpr auto kNoKey = std::to_array<std::string_view>({
    "api key not valid",
    "api key expired",
    "api key is invalid",
    "api key was reported as leaked",
    "invalid api key",
    "invalid x-api-key",
    "incorrect api key",
    "no auth credentials found",
    "user location is not supported",
    "credit balance is too low",
    "insufficient balance",
    "insufficient credits",
    "key limit exceeded",
});
constexpr auto kFlagged = std::to_array<std::string_view>({
    "your input was flagged",
    "your prompt was flagged",
    "input was flagged by",
});

const Word* find_word(std::string_view text) {
  const auto* found = std::ranges::find(kWords, text, &Word::word);
  return found == kWords.end() ? nullptr : found;
}

const Word* word_of(const nlohmann::json& error) {
  // The most specific word first: for a bad key, Gemini's status is only INVALID_ARGUMENT and OpenAI's type
  // only "invalid_request_error".
  if (const auto& details = member(error, "details"); details.is_array())
    for (const auto& detail : details)
      if (const auto* word = find_word(text_at(detail, "reason"))) return word;
  for (const auto* key : {"code", "status", "type"})
    if (const auto* word = find_word(text_at(error, key))) return word;
  return nullptr;
}

/// Returns the error's message in lower case, and the message that OpenRouter passes on from the provider
/// behind it in metadata.raw.
std::string searchable_message(const nlohmann::json& error) {
  std::string text = message_of_error(error) + '\n' + text_at(member(error, "metadata"), "raw");
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

template <class Phrases>
bool contains_any(const std::string& text, const Phrases& phrases) {
  return std::ranges::any_of(phrases,
                             [&](std::string_view phrase) { return text.find(phrase) != std::string::npos; });
}

/// Whether `text` contains `word` as a whole word: "seed" must not be seen in "exceeded".
bool contains_word(const std::string& text, std::string_view word) {
  const auto inside = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (!inside(at + word.size()) && (at == 0 || !inside(at - 1))) return true;
  return false;
}

}  // namespace

std::optional<Meaning> meaning_of_code(const nlohmann::json& error) {
  const auto* word = word_of(error);
  return word ? std::optional(Meaning{word->status, word->blame}) : std::nullopt;
}

std::optional<Meaning> meaning_of_message(const nlohmann::json& error) {
  const auto text = searchable_message(error);
  if (contains_any(text, kTooLong)) return Meaning{LlmStatus::context_exceeded, Blame::request};
  if (contains_any(text, kNoKey)) return Meaning{LlmStatus::unauthorized, Blame::account};
  // OpenRouter's moderation answers 403, which alone would look like a refused key.
  const auto& metadata = member(error, "metadata");
  if (!member(metadata, "flagged_input").is_null() || contains_any(text, kFlagged))
    return Meaning{LlmStatus::refused, Blame::request};
  return std::nullopt;
}

BodyPart rejected_part(const nlohmann::json& error) {
  const auto text = searchable_message(error);
  // The server suggests this name, so it rejected the other one.
  if (contains_word(text, "max_completion_tokens")) return BodyPart::max_tokens;
  if (text_at(error, "param") == "seed" || contains_word(text, "seed")) return BodyPart::seed;
  return BodyPart::none;
}

std::string message_of_error(const nlohmann::json& error) {
  if (error.is_string()) return error.get<std::string>();
  for (const auto* key : {"message", "detail", "error"})
    if (const auto& text = text_at(error, key); !text.empty()) return text;
  return dump_json(error);
}

}  // namespace ridgeline::llm
