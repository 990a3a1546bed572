#include "llm_clients/provider_error.hpp"

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "llm_clients/json_access.hpp"
#include "llm_clients/retry_hints.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

struct Word {
  std::string_view word;
  LlmStatus status;
  bool hopeless = false;
};

// `code`, `type` and `status` of error objects: OpenAI, Anthropic and Google's canonical codes.
constexpr auto kWords = std::to_array<Word>({
    {"insufficient_quota", LlmStatus::rate_limited, true},
    {"billing_error", LlmStatus::unauthorized},
    {"rate_limit_error", LlmStatus::rate_limited},
    {"rate_limit_exceeded", LlmStatus::rate_limited},
    {"RESOURCE_EXHAUSTED", LlmStatus::rate_limited},
    {"overloaded_error", LlmStatus::overloaded},
    {"UNAVAILABLE", LlmStatus::overloaded},
    {"context_length_exceeded", LlmStatus::bad_request},
    {"invalid_request_error", LlmStatus::bad_request},
    {"request_too_large", LlmStatus::bad_request},
    {"BadRequestError", LlmStatus::bad_request},
    {"INVALID_ARGUMENT", LlmStatus::bad_request},
    {"FAILED_PRECONDITION", LlmStatus::bad_request},
    {"invalid_api_key", LlmStatus::unauthorized},
    {"authentication_error", LlmStatus::unauthorized},
    {"permission_error", LlmStatus::unauthorized},
    {"UNAUTHENTICATED", LlmStatus::unauthorized},
    {"PERMISSION_DENIED", LlmStatus::unauthorized},
    {"model_not_found", LlmStatus::not_found},
    {"not_found_error", LlmStatus::not_found},
    {"NotFoundError", LlmStatus::not_found},
    {"NOT_FOUND", LlmStatus::not_found},
    {"timeout_error", LlmStatus::timed_out},
    {"DEADLINE_EXCEEDED", LlmStatus::timed_out},
    {"content_filter", LlmStatus::refused},
    {"content_policy_violation", LlmStatus::refused},
    {"api_error", LlmStatus::server_error},
    {"server_error", LlmStatus::server_error},
    {"INTERNAL", LlmStatus::server_error},
});

const Word* known_word(const nlohmann::json& error) {
  // `code` is the most exact of the three: OpenAI's type says only "invalid_request_error" for a bad key.
  for (const auto* key : {"code", "status", "type"})
    for (const auto& word : kWords)
      if (text_at(error, key) == word.word) return &word;
  return nullptr;
}

LlmStatus status_of_http(int status) {
  switch (status) {
    case 401:
    case 402:
    case 403:
    case 407:
      return LlmStatus::unauthorized;
    case 404:
    case 405:
    case 410:
      return LlmStatus::not_found;
    case 408:
    case 504:
      return LlmStatus::timed_out;
    case 429:
      return LlmStatus::rate_limited;
    case 503:
    case 529:
      return LlmStatus::overloaded;
    default:
      if (status >= 300 && status < 400) return LlmStatus::not_found;
      return status >= 500 ? LlmStatus::server_error : LlmStatus::bad_request;
  }
}

std::string_view mend_of(LlmStatus status, bool hopeless) {
  if (hopeless && status == LlmStatus::rate_limited) return "the account has no quota left: add credit";
  switch (status) {
    case LlmStatus::bad_request:
      return "the provider does not take this request: look at id, max_output_tokens, temperature and extra "
             "of the model entry, and at the prompt's length";
    case LlmStatus::unauthorized:
      return "look at the key that api_key_env or api_key_file names, and at what it may use";
    case LlmStatus::not_found:
      return "look at base_url and id of the model entry";
    case LlmStatus::rate_limited:
      return "lower limits.requests_per_minute, tokens_per_minute or concurrency of the model entry";
    case LlmStatus::overloaded:
    case LlmStatus::server_error:
      return "the provider is in trouble: run again later, the campaign goes on where it stopped";
    default:
      return "";
  }
}

std::string message_of(const nlohmann::json& error) {
  if (error.is_string()) return error.get<std::string>();
  for (const auto* key : {"message", "detail", "error"})
    if (const auto& text = text_at(error, key); !text.empty()) return text;
  return dump_json(error);
}

std::string with_mend(std::string what, LlmStatus status, bool hopeless) {
  const auto mend = mend_of(status, hopeless);
  if (!mend.empty()) what += "; " + std::string(mend);
  return what;
}

/// Gemini says how long to wait in the body: details[].retryDelay, "37s" or "1.5s".
std::optional<double> retry_delay_in(const nlohmann::json& error) {
  const auto& details = member(error, "details");
  if (!details.is_array()) return std::nullopt;
  for (const auto& detail : details) {
    const auto& text = text_at(detail, "retryDelay");
    if (auto seconds = text.empty() ? std::nullopt : parse_duration(text)) return seconds;
  }
  return std::nullopt;
}

Failure redirect(const HttpHead& head, const std::string& url) {
  const auto to = find_header(head.headers, "Location");
  Failure failure{.status = LlmStatus::not_found, .hopeless = true};
  failure.detail = url + " redirects (HTTP " + std::to_string(head.status) + ")";
  if (!to.empty()) failure.detail += " to " + excerpt(to);
  failure.detail += "; the key is not carried elsewhere: if that address is right, make it the base_url";
  return failure;
}

}  // namespace

const nlohmann::json& error_in(const nlohmann::json& body) {
  return member(body.is_array() ? first_of(body) : body, "error");
}

Failure failure_of_error(const nlohmann::json& error) {
  Failure failure;
  const Word* word = known_word(error);
  const auto code = integer_at(error, "code");
  failure.status = word                   ? word->status
                   : code && *code >= 400 ? status_of_http(static_cast<int>(*code))
                                          : LlmStatus::server_error;
  failure.hopeless = word && word->hopeless;
  failure.wait_s = retry_delay_in(error);
  failure.detail = with_mend("the provider broke off with an error: " + excerpt(message_of(error)),
                             failure.status, failure.hopeless);
  return failure;
}

Failure failure_of_status(const HttpHead& head, std::string_view body, const std::string& url,
                          std::chrono::system_clock::time_point wall) {
  if (head.status >= 300 && head.status < 400) return redirect(head, url);
  Failure failure{.status = status_of_http(head.status)};
  failure.wait_s = server_wait(head, wall);

  std::string said = excerpt(body);
  if (const auto json = parse_foreign_json(body)) {
    const auto& error = error_in(*json);
    said = excerpt(message_of(error.is_null() ? *json : error));
    const Word* word = known_word(error);
    if (word && (head.status == 400 || head.status == 429)) {
      // 400 hides a bad key at Gemini; 429 hides an empty account at OpenAI. Other statuses are exact.
      failure.status = word->status;
      failure.hopeless = word->hopeless;
    }
    if (const auto delay = retry_delay_in(error)) failure.wait_s = delay;
  }
  failure.detail =
      with_mend("HTTP " + std::to_string(head.status) + " from " + url + (said.empty() ? "" : ": " + said),
                failure.status, failure.hopeless);
  return failure;
}

Failure failure_of_end(const HttpEnd& end) {
  switch (end.kind) {
    case HttpEndKind::complete:
    case HttpEndKind::stopped:
    case HttpEndKind::cut_short:
      return {.status = LlmStatus::connection_failed,
              .detail = "the answer stopped before its end" + (end.detail.empty() ? "" : ": " + end.detail)};
    case HttpEndKind::connect_failed:
      return {.status = LlmStatus::connection_failed,
              .detail = end.detail + "; look at base_url, the network and HTTPS_PROXY"};
    case HttpEndKind::tls_failed:
      return {.status = LlmStatus::connection_failed,
              .detail =
                  end.detail + "; if the certificate's authority is your own, name its file in SSL_CERT_FILE",
              .hopeless = true};
    case HttpEndKind::connect_timeout:
      return {.status = LlmStatus::timed_out, .detail = end.detail + " (timeouts.connect)"};
    case HttpEndKind::first_byte_timeout:
      return {.status = LlmStatus::timed_out, .detail = end.detail + " (timeouts.first_byte)"};
    case HttpEndKind::stalled:
      return {.status = LlmStatus::timed_out, .detail = end.detail + " (timeouts.between_bytes)"};
    case HttpEndKind::total_timeout:
      return {.status = LlmStatus::timed_out,
              .detail = end.detail + "; raise timeouts.total or lower max_output_tokens",
              .hopeless = true};
    case HttpEndKind::not_http:
      return {.status = LlmStatus::malformed,
              .detail = end.detail + "; look at base_url, its scheme and its port",
              .hopeless = true};
    case HttpEndKind::too_large:
      return {.status = LlmStatus::malformed, .detail = end.detail, .hopeless = true};
  }
  return {};
}

}  // namespace ridgeline::llm
