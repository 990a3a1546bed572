#include "llm_clients/call_result.hpp"

#include "llm_clients/prices.hpp"
#include "llm_clients/surrogates.hpp"
#include "llm_clients/url.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

LlmStatus status_of_answer(const Answer& answer) {
  if (answer.failure) return answer.failure->status;
  return answer.refused ? LlmStatus::refused : status_of_finish(answer.finish_reason);
}

std::string detail_of_answer(const Answer& answer, LlmStatus status) {
  std::string detail;
  if (answer.failure)
    detail = answer.failure->detail;
  else if (status == LlmStatus::truncated)
    detail = "the answer was cut off by length (" + answer.finish_reason +
             "); raise max_output_tokens of the model entry";
  else if (status == LlmStatus::refused)
    detail = "the provider or model refused (" + answer.finish_reason + ")";
  if (!answer.usage_problem.empty()) detail += (detail.empty() ? "" : "; ") + answer.usage_problem;
  return detail;
}

}  // namespace

void fail_if_empty(Answer& answer) {
  if (answer.failure || answer.refused) return;
  const auto status = status_of_finish(answer.finish_reason);
  // A refusal or a tool call without text is an answer; a blank text with the reason "stop" is of no use to
  // anybody.
  const bool blank = answer.text.find_first_not_of(" \t\r\n") == std::string::npos;
  if (status != LlmStatus::empty && !(status == LlmStatus::answered && blank && !answer.tool_call)) return;
  Failure failure{.status = LlmStatus::empty, .blame = Blame::answer, .why = "empty answer"};
  failure.detail =
      status == LlmStatus::empty ? "the provider calls its answer broken" : "the answer is empty";
  if (!answer.finish_reason.empty()) failure.detail += " (finish reason " + answer.finish_reason + ")";
  answer.failure = std::move(failure);
}

LlmResult result_of_exchange(const SentAttempt& exchange, Answer answer, const Redactor& redact) {
  // Joined first: a secret could otherwise hide behind a split character. UTF-8 is repaired last.
  const auto clean = [&](std::string text) { return valid_utf8(redact(join_surrogates(std::move(text)))); };
  LlmResult result;
  result.status = status_of_answer(answer);
  result.fault = result.ok() ? Fault::none : Fault::request;
  result.detail = printable(clean(detail_of_answer(answer, result.status)));
  result.text = clean(std::move(answer.text));
  result.reasoning = clean(std::move(answer.reasoning));
  result.finish_reason = clean(std::move(answer.finish_reason));
  result.provider_model = clean(std::move(answer.provider_model));
  result.usage = answer.usage;
  result.usd = cost_usd(answer.usage, exchange.model.prices);
  // `answer` must still have its failure here, since that says whether the attempt may be billed.
  result.unsettled = unsettled_cost(exchange.model, exchange.request, answer);
  result.model_id = exchange.model.id;
  result.endpoint = without_query(exchange.url);
  // Raw bodies are stored as bytes and are not forced into UTF-8.
  result.raw_request = redact(exchange.body);
  result.raw_response = redact(exchange.raw_response);
  result.seconds = exchange.seconds;
  result.attempts = exchange.number;
  return result;
}

FailedAttempt failed_attempt(const LlmResult& result) {
  return {.number = result.attempts,
          .status = result.status,
          .detail = result.detail,
          .model_id = result.model_id,
          .endpoint = result.endpoint,
          .usage = result.usage,
          .usd = result.usd,
          .unsettled = result.unsettled,
          .raw_response = result.raw_response,
          .seconds = result.seconds};
}

LlmResult stopped_result() {
  LlmResult result;
  result.status = LlmStatus::cancelled;
  result.fault = Fault::endpoint;  // so that a resumed campaign sends it again
  result.detail = "nothing is sent any more: the campaign pauses";
  return result;
}

void clear_cost(LlmResult& result) {
  result.usage = {};
  result.usd = 0;
  result.unsettled = {};
}

}  // namespace ridgeline::llm
