#include "llm_clients/provider_error.hpp"

#include <nlohmann/json.hpp>

#include "llm_clients/error_words.hpp"
#include "llm_clients/json_access.hpp"
#include "llm_clients/retry_hints.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

/// Maps an error status by its number alone. 529 is Anthropic's "overloaded".
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
    case 409:
    case 425:
      return LlmStatus::server_error;
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

/// Maps an error status to its blame. 409 and 425 mean that the server was not ready, so they are retried.
Blame blame_of_http(int status) {
  switch (status) {
    case 401:
    case 402:
    case 407:
      return Blame::account;
    case 403:
    case 404:
    case 405:
    case 410:
      return Blame::denied;
    case 408:
    case 409:
    case 425:
    case 429:
      return Blame::endpoint;
    default:
      if (status >= 300 && status < 400) return Blame::denied;
      return status >= 500 ? Blame::endpoint : Blame::request;
  }
}

/// Returns the advice for a failure, which names the YAML keys to look at.
std::string_view fix_for(LlmStatus status, Blame blame) {
  // OpenAI's insufficient_quota comes as a 429, but a lower rate would not help.
  if (blame == Blame::account && status == LlmStatus::rate_limited)
    return "the account has no quota left: add credit";
  switch (status) {
    case LlmStatus::bad_request:
      return "the provider does not take this request: look at id, max_output_tokens, temperature and extra "
             "of the model entry, and at the prompt's length";
    case LlmStatus::context_exceeded:
      return "the prompt and max_output_tokens together are longer than the model takes";
    case LlmStatus::unauthorized:
      return "look at the key that api_key_env or api_key_file names, at what it may use and at the "
             "account's "
             "credit";
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

std::string with_fix(std::string what, const Failure& failure) {
  const auto fix = fix_for(failure.status, failure.blame);
  if (!fix.empty()) what += "; " + std::string(fix);
  return what;
}

/// Returns the wait that Gemini puts into the body: details[].retryDelay, "37s" or "1.5s".
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
  // A redirect usually comes from a sign-in page or a moved API. The key must not follow it to another
  // host.
  const auto to = find_header(head.headers, "Location");
  Failure failure{.status = LlmStatus::not_found, .blame = Blame::denied, .may_be_billed = false};
  failure.why = std::to_string(head.status);
  failure.detail = url + " redirects (HTTP " + std::to_string(head.status) + ")";
  if (!to.empty()) failure.detail += " to " + excerpt(to);
  failure.detail += "; the key is not carried elsewhere: if that address is right, make it the base_url";
  return failure;
}

/// Returns what the body says beyond the status. Gemini answers 400 to a bad key, OpenAI 429 to an empty
/// account. With other statuses only unambiguous words count.
std::optional<Meaning> meaning_in_body(int status, const nlohmann::json& error) {
  if (const auto said = meaning_of_message(error)) {
    // Words about keys and credit count only with a status that fits them: a message may quote a prompt.
    const bool key_or_credit = said->blame == Blame::account;
    if (!key_or_credit || status == 400 || status == 401 || status == 402 || status == 403) return said;
  }
  const auto code = meaning_of_code(error);
  if (!code) return std::nullopt;
  const bool certain = code->blame == Blame::account || code->status == LlmStatus::context_exceeded ||
                       code->status == LlmStatus::refused;
  // 400 and 422 say the least, so any known code may replace them.
  const bool vague = status == 400 || status == 422;
  return vague || (certain && status < 500) ? code : std::nullopt;
}

Failure broken_off(const HttpEnd& end, LlmStatus status, const char* why) {
  return {.status = status,
          .detail = end.detail,
          .blame = Blame::endpoint,
          .why = end.why.empty() ? why : end.why,
          .may_be_billed = end.sent_whole};
}

Failure not_connected(const HttpEnd& end, LlmStatus status, const char* why, const char* fix) {
  auto failure = broken_off(end, status, why);
  failure.may_be_billed = false;
  failure.detail += fix;
  return failure;
}

}  // namespace

const nlohmann::json& error_in(const nlohmann::json& body) {
  return member(body.is_array() ? first_of(body) : body, "error");
}

Failure failure_of_error(const nlohmann::json& error) {
  Failure failure{.status = LlmStatus::server_error, .blame = Blame::endpoint};
  const auto code = integer_at(error, "code");
  if (code && *code >= 400 && *code < 600) {
    failure.status = status_of_http(static_cast<int>(*code));
    failure.blame = blame_of_http(static_cast<int>(*code));
    failure.why = std::to_string(*code);
  }
  auto meaning = meaning_of_message(error);
  if (!meaning) meaning = meaning_of_code(error);
  if (meaning) {
    failure.status = meaning->status;
    failure.blame = meaning->blame;
  }
  if (failure.why.empty()) failure.why = "an error in the answer";
  failure.wait_s = retry_delay_in(error);
  failure.detail =
      with_fix("the provider broke off with an error: " + excerpt(message_of_error(error)), failure);
  return failure;
}

Failure failure_of_status(const HttpHead& head, std::string_view body, const std::string& url,
                          std::chrono::system_clock::time_point wall) {
  if (head.status >= 300 && head.status < 400) return redirect(head, url);
  Failure failure{.status = status_of_http(head.status), .blame = blame_of_http(head.status)};
  failure.why = std::to_string(head.status);
  failure.may_be_billed = false;
  failure.wait_s = server_wait(head, wall);

  std::string said = excerpt(body);
  if (const auto json = parse_foreign_json(body)) {
    const auto& inner = error_in(*json);
    const auto& error = inner.is_null() ? *json : inner;
    said = excerpt(message_of_error(error));
    if (const auto meaning = meaning_in_body(head.status, error)) {
      failure.status = meaning->status;
      failure.blame = meaning->blame;
    }
    // Only these two mean that the body is wrong.
    if (head.status == 400 || head.status == 422) failure.rejects = rejected_part(error);
    if (const auto delay = retry_delay_in(error)) failure.wait_s = delay;
  }
  failure.detail = with_fix(
      "HTTP " + std::to_string(head.status) + " from " + url + (said.empty() ? "" : ": " + said), failure);
  return failure;
}

Failure failure_of_shape(const char* missing) {
  return {.status = LlmStatus::malformed,
          .detail = "the answer has no `" + std::string(missing) + '`',
          .blame = Blame::endpoint,
          .why = "no answer in the JSON"};
}

Failure failure_of_end(const HttpEnd& end) {
  switch (end.kind) {
    case HttpEndKind::complete:
    case HttpEndKind::stopped:
    case HttpEndKind::cut_short: {
      auto failure = broken_off(end, LlmStatus::connection_failed, "answer cut short");
      failure.detail = "the answer stopped before its end" + (end.detail.empty() ? "" : ": " + end.detail);
      return failure;
    }
    case HttpEndKind::connect_failed:
      return not_connected(end, LlmStatus::connection_failed, "no connection",
                           "; look at base_url, the network and HTTPS_PROXY");
    case HttpEndKind::tls_failed:
      return not_connected(end, LlmStatus::connection_failed, "no TLS",
                           "; if the certificate's authority is your own, name its file in SSL_CERT_FILE");
    case HttpEndKind::connect_timeout:
      return not_connected(end, LlmStatus::timed_out, "no connection", " (timeouts.connect)");
    case HttpEndKind::first_byte_timeout: {
      auto failure = broken_off(end, LlmStatus::timed_out, "time-out");
      failure.detail += " (timeouts.first_byte)";
      return failure;
    }
    case HttpEndKind::stalled: {
      auto failure = broken_off(end, LlmStatus::timed_out, "time-out");
      failure.detail += " (timeouts.between_bytes)";
      return failure;
    }
    case HttpEndKind::total_timeout: {
      auto failure = broken_off(end, LlmStatus::timed_out, "time-out");
      // It took all of `total`, and the next attempt would do so too: one is enough to open the breaker.
      failure.opens_breaker = true;
      failure.detail += "; raise timeouts.total or lower max_output_tokens";
      return failure;
    }
    case HttpEndKind::not_http: {
      auto failure = broken_off(end, LlmStatus::malformed, "no HTTP");
      failure.detail += "; look at base_url, its scheme and its port";
      return failure;
    }
    case HttpEndKind::too_large: {
      auto failure = broken_off(end, LlmStatus::malformed, "answer too large");
      failure.blame = Blame::answer;  // the model wrote too much; the endpoint works
      return failure;
    }
  }
  return {};
}

}  // namespace ridgeline::llm
