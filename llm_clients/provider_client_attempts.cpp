// One attempt of a ProviderClient, from sending to its result.
#include <utility>

#include "llm_clients/call_result.hpp"
#include "llm_clients/prices.hpp"
#include "llm_clients/provider_client_impl.hpp"
#include "llm_clients/url.hpp"

namespace ridgeline::llm {

void ProviderClient::send(CallPtr call, Target& target, TimePoint time) {
  auto& state = call->state;
  state.target = &target;
  // Key and parts are remembered as sent: both may change at the target before the answer comes.
  state.key = target.key.key();
  state.parts = target.sent_parts(call->request);
  state.sent = time;
  state.probe = target.endpoint->begin_request(time);
  auto http = http_request(target.model, call->request, state.key);
  http.timeouts.total = seconds_left(target.model, state.attempts, state.seconds);
  ++state.attempts;
  call->exchange = http.id = ++exchanges_;
  call->url = without_query(http.url);
  call->body = http.body;
  call->reader = std::make_unique<AnswerReader>(protocol_, redact_, call->url, target.model.stream);
  HttpHandlers handlers{.head = [call](const HttpHead& head) { call->reader->head(head); },
                        .body = [call](std::string_view bytes) { return on_body(*call, bytes); },
                        .end = [this, call](const HttpEnd& end) { ended(call, end); }};
  parts_.transport->send(std::move(http), std::move(handlers));
}

Flow ProviderClient::on_body(Call& call, std::string_view bytes) {
  const auto flow = call.reader->body(bytes);
  // Answers take minutes. Other requests go as soon as the probe's answer has begun.
  if (call.reader->has_begun()) call.state.target->endpoint->answer_began(call.state.probe);
  return flow;
}

void ProviderClient::ended(CallPtr call, const HttpEnd& http_end) {
  auto answer = call->reader->end(http_end, parts_.timers->wall());
  const double seconds = std::chrono::duration<double>(now() - call->state.sent).count();
  call->state.seconds += seconds;
  give_back_limits(*call, answer);
  // Redacted here already, because the endpoint keeps the failure and shows it to other requests.
  if (answer.failure) answer.failure->detail = redact_(std::move(answer.failure->detail));
  const auto decision = attempt_handler_.handle(call->state, answer);
  const auto failure = answer.failure;
  auto result = result_of_exchange({.model = call->state.target->model,
                                    .request = call->request,
                                    .url = call->url,
                                    .body = call->body,
                                    .raw_response = call->reader->clean_raw(),
                                    .number = call->state.attempts,
                                    .seconds = seconds},
                                   std::move(answer), redact_);
  call->reader.reset();
  if (decision)
    failed(call, *failure, std::move(result), *decision);
  else
    end(call, std::move(result));
  pump();
}

void ProviderClient::give_back_limits(const Call& call, const Answer& answer) {
  std::optional<std::int64_t> used;
  if (answer.usage.reported)
    used = answer.usage.input_tokens + answer.usage.output_tokens;
  else if (answer.failure)
    used = 0;  // providers count answered tokens; a rejected or broken request uses none
  limiter_.finish(now(), call.ticket, used);
  // Without patience no breaker holds requests back, so the limiter passes the server's wait on to all
  // requests of this entry.
  if (answer.failure && answer.failure->wait_s && !patient() && targets_.size() == 1)
    limiter_.pause_until(now() + clock_seconds(*answer.failure->wait_s));
}

void ProviderClient::failed(CallPtr call, const Failure& failure, LlmResult result,
                            const RetryDecision& decision) {
  const auto* given_up = std::get_if<GiveUp>(&decision);
  if (given_up && !given_up->reason.empty()) result.detail += "; " + given_up->reason;
  if (given_up && given_up->fault == Fault::request) return end(call, std::move(result));

  // Every other failure reports its cost through the callback, and must not report it again as the result.
  const auto& report = call->request.on_failed_attempt;
  const bool may_go_on = !report || report(failed_attempt(result));
  clear_cost(result);
  if (given_up) {
    // The endpoint or the account fails for every request of this entry, so those that wait end too.
    result.fault = given_up->fault;
    Failure to_all = failure;
    to_all.detail = result.detail;
    end(call, std::move(result));
    return give_up_waiting(to_all, given_up->fault);
  }
  if (!may_go_on) return end(call, std::move(result));
  if (stopped_) return end(call, cancelled(*call));  // the callback may have called stop_sending
  call->last = std::move(result);
  // A request that has failed often goes to the end of the queue: it may itself be the cause, and the next
  // probe should be another request.
  queue_.delay(now() + clock_seconds(std::get<RetryIn>(decision).seconds), call,
               call->state.attempts >= model().retries.attempts);
}

LlmResult ProviderClient::broken_off(Call& call) {
  parts_.transport->abort(call.exchange);
  call.state.target->endpoint->abandoned(call.state.probe);
  limiter_.finish(now(), call.ticket, std::nullopt);
  const double seconds = std::chrono::duration<double>(now() - call.state.sent).count();
  auto answer = call.reader->end({HttpEndKind::cut_short, "", ""}, parts_.timers->wall());
  auto result = result_of_exchange({.model = call.state.target->model,
                                    .request = call.request,
                                    .url = call.url,
                                    .body = call.body,
                                    .raw_response = call.reader->clean_raw(),
                                    .number = call.state.attempts,
                                    .seconds = seconds},
                                   std::move(answer), redact_);
  call.reader.reset();
  return result;
}

Cost ProviderClient::unsettled_of_wire(Call& call) const {
  auto answer = call.reader->end({HttpEndKind::cut_short, "", ""}, parts_.timers->wall());
  return unsettled_cost(call.state.target->model, call.request, answer);
}

}  // namespace ridgeline::llm
