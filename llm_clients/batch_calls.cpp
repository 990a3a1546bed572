#include "llm_clients/batch_calls.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "llm_clients/call_result.hpp"
#include "llm_clients/prices.hpp"
#include "llm_clients/retry_policy.hpp"

namespace ridgeline::llm {
namespace {

/// Reports a failed attempt. Returns whether another attempt may be paid for.
bool may_try_again(const LlmRequest& request, const LlmResult& result) {
  return !request.on_failed_attempt || request.on_failed_attempt(failed_attempt(result));
}

}  // namespace

BatchCalls::BatchCalls(Context context, BatchQueue::Limits limits)
    : context_(std::move(context)), queue_(limits) {
  target_.model = context_.model;
}

void BatchCalls::write_body(Call& call) const {
  call.body = batch_body(target_.model, call.request);
  // Kept beside the body: when an error names a part, it matters whether this body had it.
  call.parts = target_.sent_parts(call.request);
}

std::string BatchCalls::add(LlmRequest request, Completion done) {
  Call call;
  call.request = std::move(request);
  call.done = std::move(done);
  write_body(call);
  const auto first = custom_id_of(context_.model, call.request, call.body);
  // Two equal requests at the same time are two requests, and a batch accepts no id twice.
  auto id = first;
  for (int n = 2; calls_.contains(id); ++n) id = first + '-' + std::to_string(n);
  calls_.emplace(id, std::move(call));
  // A request that comes after `close` takes the same path as the others.
  if (!closed_.empty()) close(closed_);
  return id;
}

void BatchCalls::enqueue(const std::string& id) {
  const auto call = calls_.find(id);
  if (call == calls_.end() || call->second.queued) return;
  // A queued request belongs to no batch, so that late lines of its old batch do not answer it.
  call->second.batch.clear();
  call->second.queued = true;
  queue_.add(id, call->second.body.size(), context_.timers.now());
  wake();
}

void BatchCalls::hold_until(TimePoint time) {
  queue_.hold_until(time);
}

/// Sets one timer at a time, for the earliest time needed. A timer that comes too early sets the next.
void BatchCalls::wake() {
  const auto due = queue_.due();
  if (!due || (wake_ && *wake_ <= *due)) return;
  wake_ = due;
  context_.timers.at(*due, [this, due] {
    if (wake_ == due) wake_.reset();
    context_.on_due();
    wake();
  });
}

std::vector<BatchItem> BatchCalls::take() {
  std::vector<BatchItem> items;
  for (auto& id : queue_.take(context_.timers.now())) {
    const auto call = calls_.find(id);
    if (call == calls_.end() || !call->second.queued) continue;  // it has a result since
    call->second.queued = false;
    items.push_back({std::move(id), call->second.body});
  }
  return items;
}

void BatchCalls::put_into(const std::string& id, const std::string& batch) {
  calls_.at(id).batch = batch;
}

void BatchCalls::count_attempt(const std::string& id) {
  ++calls_.at(id).attempts;
}

bool BatchCalls::is_in(const std::string& id, const std::string& batch) const {
  const auto call = calls_.find(id);
  return call != calls_.end() && call->second.batch == batch;
}

std::vector<std::string> BatchCalls::all_in(const std::string& batch) const {
  std::vector<std::string> ids;
  for (const auto& [id, call] : calls_)
    if (call.batch == batch) ids.push_back(id);
  return ids;
}

std::vector<std::string> BatchCalls::all() const {
  std::vector<std::string> ids;
  for (const auto& [id, call] : calls_) ids.push_back(id);
  return ids;
}

BatchCalls::Call BatchCalls::take_out(const std::string& id) {
  return std::move(calls_.extract(id).mapped());
}

void BatchCalls::finish_item(const std::string& id, BatchItemEnd end, WallTime sent, bool others_ran) {
  // Out of the map first, because on_failed_attempt may call stop_sending, which clears the map.
  Call call = take_out(id);
  call.batch.clear();
  auto failure = end.answer.failure;
  // As long as no request was answered, a denial means that the entry is wrong and not this request.
  if (failure && failure->blame == Blame::denied && !others_ran) failure->blame = Blame::account;
  SentAttempt attempt{context_.model, call.request, context_.url, call.body, end.raw, call.attempts};
  attempt.seconds = std::chrono::duration<double>(context_.timers.wall() - sent).count();
  auto result = result_of_exchange(attempt, std::move(end.answer), context_.redact);
  if (!failure) return deliver(std::move(call), std::move(result));

  const auto decision = next_step(call, *failure, others_ran && !end.not_run);
  const auto* given_up = std::get_if<GiveUp>(&decision);
  if (given_up && !given_up->reason.empty()) result.detail += "; " + given_up->reason;
  if (given_up) result.fault = given_up->fault;
  if (given_up && given_up->fault == Fault::request) return deliver(std::move(call), std::move(result));

  // The cost goes to `on_failed_attempt` first, then out of the result: it must be counted exactly once.
  const bool goes_on = may_try_again(call.request, result);
  clear_cost(result);
  if (given_up || !goes_on || !closed_.empty()) return deliver(std::move(call), std::move(result));
  // The body is written again because `next_step` may have left a part out.
  write_body(call);
  calls_.emplace(id, std::move(call));
  context_.timers.at(context_.timers.now() + clock_seconds(std::get<RetryIn>(decision).seconds), [this, id] {
    if (is_in(id, "")) enqueue(id);
  });
}

RetryDecision BatchCalls::next_step(Call& call, const Failure& failure, bool others_answered) {
  // The server may accept the request without the part that it named.
  if (target_.leave_out(failure.rejects, call.parts)) return RetryIn{0};
  // Attempts in batches take hours, so retries end by their number and not by patience.
  Model impatient = context_.model;
  impatient.patience.seconds = 0;
  const auto now = context_.timers.now();
  if (!call.first_failure) call.first_failure = now;
  const RetryHistory history{.now = now,
                             .attempts = call.attempts,
                             .seconds = 0,
                             .first = *call.first_failure,
                             .others_answered = others_answered,
                             .out_since = *call.first_failure};
  return decide_retry(impatient, failure, history, context_.random());
}

/// Returns a result with `failure` for a request whose outcome is unknown. If a journal has its batch, a
/// later process finds it there and it is paid once, so it costs nothing now.
LlmResult BatchCalls::unfinished_result(const Call& call, const Failure& failure) const {
  Answer none;
  none.failure = failure;
  none.failure->may_be_billed = !call.batch.empty() && context_.is_lost(call.batch);
  return result_of_exchange({context_.model, call.request, context_.url, call.body, "", call.attempts},
                            std::move(none), context_.redact);
}

void BatchCalls::give_up(const std::string& id, const Failure& failure, Fault fault) {
  if (!calls_.contains(id)) return;
  Call call = take_out(id);
  auto result = unfinished_result(call, failure);
  result.fault = fault;
  // An attempt that cost nothing for certain is no attempt to the budget.
  if (result.unsettled != Cost{}) may_try_again(call.request, result);
  clear_cost(result);
  deliver(std::move(call), std::move(result));
}

std::string BatchCalls::cancel(const std::string& address) {
  const auto found = std::ranges::find_if(
      calls_, [&](const auto& entry) { return entry.second.request.address == address; });
  if (found == calls_.end()) return "";
  const auto id = found->first;
  Call call = take_out(id);
  const bool in_batch = !call.batch.empty();
  Answer none;
  none.failure = Failure{.status = LlmStatus::cancelled, .detail = "it was given up before the answer came"};
  none.failure->may_be_billed = in_batch;  // neither provider can cancel one request of a batch
  // A batch that is still being created has not been counted yet, but may be billed.
  if (in_batch) call.attempts = std::max(call.attempts, 1);
  auto result = result_of_exchange({context_.model, call.request, context_.url, call.body, "", call.attempts},
                                   std::move(none), context_.redact);
  result.fault = Fault::endpoint;
  deliver(std::move(call), std::move(result));
  return in_batch ? id : "";
}

void BatchCalls::close(std::string why) {
  closed_ = std::move(why);
  // Emptied, so that no timer sends a batch of requests that have been answered.
  queue_.take_all();
  const Failure failure{.status = LlmStatus::cancelled, .detail = closed_};
  for (auto& [id, call] : std::exchange(calls_, {})) {
    auto result = unfinished_result(call, failure);
    deliver(std::move(call), std::move(result));
  }
}

/// Posts the callback, so that it runs on an empty stack and may call the client.
void BatchCalls::deliver(Call call, LlmResult result) {
  const auto kept = std::make_shared<LlmResult>(std::move(result));
  context_.timers.post([done = std::move(call.done), kept] { done(std::move(*kept)); });
}

}  // namespace ridgeline::llm
