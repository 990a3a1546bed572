#include "llm_clients/provider_client.hpp"

#include <algorithm>
#include <list>
#include <utility>

#include "llm_clients/answer_reader.hpp"
#include "llm_clients/attempt_handler.hpp"
#include "llm_clients/call_result.hpp"
#include "llm_clients/endpoint_news.hpp"
#include "llm_clients/key_fetcher.hpp"
#include "llm_clients/prices.hpp"
#include "llm_clients/rate_limiter.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/send_queue.hpp"
#include "llm_clients/targets.hpp"
#include "llm_clients/url.hpp"

namespace ridgeline::llm {
namespace {

Targets targets_of(ProviderParts& parts, Endpoints& endpoints) {
  auto addresses = std::move(parts.addresses);
  if (addresses.empty()) addresses.push_back({parts.model, KeySource(parts.key)});
  std::vector<Target> targets;
  for (auto& address : addresses) {
    const Url url = parse_url(protocol_of(address.model.provider).url(address.model), "base_url");
    targets.push_back({.model = std::move(address.model),
                       .key = std::move(address.key),
                       .endpoint = endpoints.at(url.origin(), url.host)});
  }
  return Targets(std::move(targets));
}

class ProviderClient : public LlmClient {
 public:
  explicit ProviderClient(ProviderParts parts)
      : parts_(std::move(parts)),
        protocol_(protocol_of(parts_.model.provider)),
        limiter_(parts_.model.limits),
        redact_(parts_.secrets),
        targets_(targets_of(parts_, parts_.endpoints ? *parts_.endpoints : own_endpoints_)),
        attempt_handler_(parts_.model, targets_, *parts_.timers, parts_.random),
        keys_(std::move(parts_.commands), parts_.model.name, *parts_.timers,
              {.key = [this](const std::string& key) { redact_.add(key); },
               .failed = [this](Target& target, const Failure& failure,
                                bool probe) { key_failed(target, failure, probe); },
               .done = [this] { pump(); }}),
        news_(parts_.model.name) {
    for (auto& target : targets_.all()) {
      redact_.add(target.key.key());
      listening_.emplace_back(target.endpoint, target.endpoint->listen([this] { pump_at(now()); }));
    }
  }

  ~ProviderClient() override {
    parts_.transport.reset();  // first: from here on no handler comes any more
    for (const auto& [endpoint, listener] : listening_) endpoint->forget(listener);
    keys_.close();
    for (auto& call : calls_) {
      auto result = cancelled(call);
      result.detail = "the client was destroyed before the answer came";
      if (call.reader) {
        call.state.target->endpoint->abandoned(call.state.probe);
        result.unsettled = unsettled_of_wire(call);
      }
      deliver(call, std::move(result));
    }
  }

  void complete(LlmRequest request, Completion done) override {
    const auto call = calls_.emplace(calls_.end());
    call->tokens = estimated_tokens(parts_.model, request);
    call->request = std::move(request);
    call->done = std::move(done);
    if (stopped_) return end(call, cancelled(*call));
    queue_.push(call);
    pump_at(now());
  }

  void cancel(const std::string& address) override {
    const auto call =
        std::ranges::find_if(calls_, [&](const Call& one) { return one.request.address == address; });
    if (call == calls_.end()) return;
    auto result = call->reader ? broken_off(*call) : unsent(*call);
    result.status = LlmStatus::cancelled;
    result.fault = Fault::endpoint;
    result.detail = "it was given up before the answer came";
    queue_.remove(call);
    end(call, std::move(result));
    pump_at(now());  // another one may take its place
  }

  void stop_sending() override {
    stopped_ = true;
    for (const auto& call : queue_.take_all()) end(call, cancelled(*call));
  }

 private:
  struct Call {
    LlmRequest request;
    Completion done;
    std::int64_t tokens = 0;  ///< reserved
    AttemptState state;
    std::optional<LlmResult> last;  ///< what the last attempt came to, its cost told
    // Of the attempt that is under way:
    std::uint64_t ticket = 0;    ///< the limiter's
    std::uint64_t exchange = 0;  ///< the transport's
    std::string url;
    std::string body;
    std::unique_ptr<AnswerReader> reader;  ///< null while none is
  };
  using CallPtr = std::list<Call>::iterator;

  TimePoint now() const { return parts_.timers->now(); }
  const Model& model() const { return parts_.model; }
  bool patient() const { return model().patience.seconds > 0; }

  /// One wake-up stands at a time, the earliest asked for; pump asks again if it came too early.
  void pump_at(TimePoint time) {
    if (wake_ && *wake_ <= time) return;
    wake_ = time;
    parts_.timers->at(time, [this, time] {
      if (wake_ == time) wake_.reset();
      pump();
    });
  }

  /// Starts what may start, in order.
  void pump() {
    const auto time = now();
    queue_.wake(time);
    while (!queue_.empty() && start_next(time)) {
    }
    if (const auto next = queue_.next_wake()) pump_at(*next);
    if (patient() && parts_.on_endpoint) report_endpoints(time);
  }

  /// Returns whether something was sent, so that the next in line may be looked at.
  bool start_next(TimePoint time) {
    const auto choice = targets_.choose(time, !patient(), queue_.front()->state.target);
    if (!std::holds_alternative<CircuitBreaker::Go>(choice.decision)) {
      wait_for_endpoint(choice, time);
      return false;
    }
    if (choice.target->key.wants_command(time)) {
      keys_.fetch(*choice.target);
      return false;
    }
    const auto call = queue_.front();
    const auto decision = limiter_.start(time, call->tokens);
    if (const auto* wait = std::get_if<RateLimiter::WaitUntil>(&decision)) pump_at(wait->time);
    const auto* go = std::get_if<RateLimiter::Go>(&decision);
    if (!go) return false;
    call->ticket = go->ticket;
    queue_.pop();
    send(call, *choice.target, time);
    return true;
  }

  void wait_for_endpoint(const Targets::Choice& choice, TimePoint time) {
    const auto since = targets_.out_since();
    const auto end = since ? *since + clock_seconds(model().patience.seconds) : TimePoint::max();
    if (time >= end) return give_up_waiting(choice.target->endpoint->outage()->last, time - *since);
    const auto* until = std::get_if<CircuitBreaker::WaitUntil>(&choice.decision);
    if (until || since) pump_at(until ? std::min(until->time, end) : end);
  }

  void send(CallPtr call, Target& target, TimePoint time) {
    auto& state = call->state;
    state.target = &target;
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

  static Flow on_body(Call& call, std::string_view bytes) {
    const auto flow = call.reader->body(bytes);
    if (call.state.probe && call.reader->has_begun()) call.state.target->endpoint->answer_began(true);
    return flow;
  }

  void ended(CallPtr call, const HttpEnd& http_end) {
    auto answer = call->reader->end(http_end, parts_.timers->wall());
    const double seconds = std::chrono::duration<double>(now() - call->state.sent).count();
    call->state.seconds += seconds;
    give_back_limits(*call, answer);
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

  void give_back_limits(const Call& call, const Answer& answer) {
    std::optional<std::int64_t> used;
    if (answer.usage.reported)
      used = answer.usage.input_tokens + answer.usage.output_tokens;
    else if (answer.failure)
      used = 0;  // turned away or broken off: providers count what they answer
    limiter_.finish(now(), call.ticket, used);
    // Who is told to wait tells it to all of this entry, where no breaker does.
    if (answer.failure && answer.failure->wait_s && !patient() && targets_.size() == 1)
      limiter_.pause_until(now() + clock_seconds(*answer.failure->wait_s));
  }

  void failed(CallPtr call, const Failure& failure, LlmResult result, const RetryDecision& decision) {
    const auto* given_up = std::get_if<GiveUp>(&decision);
    if (given_up && !given_up->reason.empty()) result.detail += "; " + given_up->reason;
    if (given_up && given_up->fault == Fault::request) return end(call, std::move(result));

    const auto& told = call->request.on_failed_attempt;
    const bool more = !told || told(failed_attempt(result));
    take_out_cost(result);
    if (given_up) {
      result.fault = given_up->fault;
      Failure to_all = failure;
      to_all.detail = result.detail;
      end(call, std::move(result));
      return give_up_waiting(to_all, given_up->fault);
    }
    if (!more) return end(call, std::move(result));
    if (stopped_) return end(call, cancelled(*call));
    call->last = std::move(result);
    // One that failed often goes behind: it may be what is wrong, and the next probe should be another.
    queue_.delay(now() + clock_seconds(std::get<RetryIn>(decision).seconds), call,
                 call->state.attempts >= model().retries.attempts);
  }

  void key_failed(Target& target, const Failure& failure, bool probe) {
    attempt_handler_.endpoint_failed(target, failure, probe);
    if (!patient()) give_up_waiting(failure, Fault::endpoint);
  }

  void give_up_waiting(Failure failure, TimePoint::duration waited) {
    failure.detail += "; no answer for " + duration_text(std::chrono::duration<double>(waited).count()) +
                      ", longer than the model entry's patience";
    give_up_waiting(failure, Fault::endpoint);
  }

  /// What one request was told holds for all that wait.
  void give_up_waiting(const Failure& failure, Fault fault) {
    for (const auto& call : queue_.take_all()) {
      LlmResult result = call->last ? std::move(*call->last) : unsent(*call);
      result.status = failure.status;
      result.detail = redact_(failure.detail);
      result.fault = fault;
      end(call, std::move(result));
    }
  }

  LlmResult unsent(const Call& call) {
    LlmResult result;
    result.attempts = call.state.attempts;
    result.model_id = model().id;
    result.endpoint = without_query(protocol_.url(targets_.all().front().model));
    return result;
  }

  LlmResult cancelled(const Call& call) const {
    auto result = stopped_result();
    result.attempts = call.state.attempts;
    return result;
  }

  /// Ends the attempt that is under way. The other side may have answered, and may want to be paid.
  LlmResult broken_off(Call& call) {
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

  Cost unsettled_of_wire(Call& call) const {
    auto answer = call.reader->end({HttpEndKind::cut_short, "", ""}, parts_.timers->wall());
    return unsettled_cost(call.state.target->model, call.request, answer);
  }

  void end(CallPtr call, LlmResult result) {
    deliver(*call, std::move(result));
    calls_.erase(call);
  }

  /// Posted, so that callbacks run on an empty stack, outside of all that happens here.
  void deliver(Call& call, LlmResult result) {
    const auto kept = std::make_shared<LlmResult>(std::move(result));
    parts_.timers->post([done = std::move(call.done), kept] { done(std::move(*kept)); });
  }

  void report_endpoints(TimePoint time) {
    for (const auto& target : targets_.all())
      news_.update(*target.endpoint, !calls_.empty(), time, parts_.timers->wall());
    if (!news_.any()) return;
    parts_.timers->at(time, [this] {
      for (const auto& state : news_.take()) parts_.on_endpoint(state);
    });
  }

  ProviderParts parts_;
  const Protocol& protocol_;
  RateLimiter limiter_;
  Redactor redact_;
  Endpoints own_endpoints_;
  Targets targets_;
  AttemptHandler attempt_handler_;
  KeyFetcher keys_;
  EndpointNews news_;
  std::vector<std::pair<std::shared_ptr<Endpoint>, int>> listening_;
  std::list<Call> calls_;  ///< all that have no result yet
  SendQueue<CallPtr> queue_;
  std::optional<TimePoint> wake_;
  std::uint64_t exchanges_ = 0;  ///< begun
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<LlmClient> make_provider_client(ProviderParts parts) {
  return std::make_unique<ProviderClient>(std::move(parts));
}

std::int64_t estimated_tokens(const Model& model, const LlmRequest& request) {
  std::size_t bytes = 0;
  for (const auto& message : request.messages) bytes += message.content.size();
  return static_cast<std::int64_t>(bytes / 4) + effective_max_tokens(model, request);
}

}  // namespace ridgeline::llm
