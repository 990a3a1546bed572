#include "llm_clients/provider_client.hpp"

#include <deque>
#include <list>
#include <utility>

#include "llm_clients/answer_reader.hpp"
#include "llm_clients/prices.hpp"
#include "llm_clients/rate_limiter.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

class ProviderClient : public LlmClient {
 public:
  explicit ProviderClient(ProviderParts parts)
      : parts_(std::move(parts)),
        protocol_(protocol_of(parts_.model.provider)),
        limiter_(parts_.model.limits, parts_.timers->now()),
        redact_(parts_.key) {}

  ~ProviderClient() override {
    parts_.transport.reset();  // first: from here on no handler comes any more
    for (auto& call : calls_) deliver(call, cancelled(call.attempts));
  }

  void complete(LlmRequest request, Completion done) override {
    const auto call = calls_.emplace(calls_.end());
    call->tokens = estimated_tokens(parts_.model, request);
    call->request = std::move(request);
    call->done = std::move(done);
    waiting_.push_back(call);
    parts_.timers->at(parts_.timers->now(), [this] { pump(); });
  }

 private:
  struct Call {
    LlmRequest request;
    Completion done;
    std::int64_t tokens = 0;  ///< reserved
    int attempts = 0;
    TimePoint sent;
    std::string body;
    std::unique_ptr<AnswerReader> reader;
  };
  using CallPtr = std::list<Call>::iterator;

  /// Starts what the limits allow, in order of arrival.
  void pump() {
    while (!waiting_.empty()) {
      const auto now = parts_.timers->now();
      const auto decision = limiter_.start(now, waiting_.front()->tokens);
      if (const auto* wait = std::get_if<RateLimiter::WaitUntil>(&decision)) {
        pump_at(wait->time);
        return;
      }
      if (std::holds_alternative<RateLimiter::WaitForFinish>(decision)) return;
      const auto call = waiting_.front();
      waiting_.pop_front();
      send(call);
    }
  }

  /// One wake-up stands at a time, the earliest asked for; pump asks again if it came too early.
  void pump_at(TimePoint time) {
    if (wake_ && *wake_ <= time) return;
    wake_ = time;
    parts_.timers->at(time, [this, time] {
      if (wake_ == time) wake_.reset();
      pump();
    });
  }

  void send(CallPtr call) {
    ++call->attempts;
    call->sent = parts_.timers->now();
    auto http = http_request(parts_.model, call->request, parts_.key);
    call->body = http.body;
    call->reader = std::make_unique<AnswerReader>(protocol_, redact_, http.url, parts_.model.stream);
    HttpHandlers handlers{.head = [call](const HttpHead& head) { call->reader->head(head); },
                          .body = [call](std::string_view bytes) { return call->reader->body(bytes); },
                          .end = [this, call](const HttpEnd& end) { ended(call, end); }};
    parts_.transport->send(std::move(http), std::move(handlers));
  }

  void ended(CallPtr call, const HttpEnd& end) {
    const auto now = parts_.timers->now();
    auto answer = call->reader->end(end, parts_.timers->wall());
    std::optional<std::int64_t> used;
    if (answer.usage.reported)
      used = answer.usage.input_tokens + answer.usage.output_tokens;
    else if (answer.failure)
      used = 0;  // turned away or broken off: providers count what they answer
    limiter_.finish(now, call->tokens, used);

    std::string given_up;
    if (answer.failure) {
      const auto decision =
          decide_retry(parts_.model.retries, *answer.failure, call->attempts, parts_.random());
      if (const auto* retry = std::get_if<RetryIn>(&decision)) {
        try_again(call, now + clock_seconds(retry->seconds), *answer.failure, now);
        pump();
        return;
      }
      given_up = std::get<GiveUp>(decision).reason;
    }
    auto result = result_of(*call, std::move(answer), given_up);
    result.seconds = std::chrono::duration<double>(now - call->sent).count();
    deliver(*call, std::move(result));
    calls_.erase(call);
    pump();
  }

  void try_again(CallPtr call, TimePoint time, const Failure& failure, TimePoint now) {
    // Who is told to wait tells it to everyone who asks the same server.
    if (failure.wait_s) limiter_.pause_until(now + clock_seconds(*failure.wait_s));
    parts_.timers->at(time, [this, call] {
      waiting_.push_front(call);
      pump();
    });
  }

  LlmResult result_of(const Call& call, Answer answer, const std::string& given_up) const {
    LlmResult result;
    if (answer.failure) {
      result.status = answer.failure->status;
      result.detail = answer.failure->detail;
      if (!given_up.empty()) result.detail += "; " + given_up;
    } else {
      result.status = answer.refused ? LlmStatus::refused : status_of_finish(answer.finish_reason);
      if (result.status == LlmStatus::truncated)
        result.detail = "the answer was cut off by length (" + answer.finish_reason +
                        "); raise max_output_tokens of the model entry";
      if (result.status == LlmStatus::refused)
        result.detail = "the provider or model refused (" + answer.finish_reason + ")";
    }
    result.detail = valid_utf8(redact_(std::move(result.detail)));
    result.text = valid_utf8(redact_(std::move(answer.text)));
    result.reasoning = valid_utf8(redact_(std::move(answer.reasoning)));
    result.finish_reason = valid_utf8(redact_(std::move(answer.finish_reason)));
    result.provider_model = valid_utf8(redact_(std::move(answer.provider_model)));
    result.usage = answer.usage;
    result.usd = cost_usd(answer.usage, parts_.model.prices);
    result.raw_request = redact_(call.body);
    result.raw_response = redact_(call.reader->raw());
    result.attempts = call.attempts;
    return result;
  }

  static LlmResult cancelled(int attempts) {
    LlmResult result;
    result.status = LlmStatus::cancelled;
    result.attempts = attempts;
    result.detail = "the client was destroyed before the answer came";
    return result;
  }

  /// Posted, so that callbacks run on an empty stack, outside of all that happens here.
  void deliver(Call& call, LlmResult result) {
    const auto kept = std::make_shared<LlmResult>(std::move(result));
    parts_.timers->post([done = std::move(call.done), kept] { done(std::move(*kept)); });
  }

  ProviderParts parts_;
  const Protocol& protocol_;
  RateLimiter limiter_;
  Redactor redact_;
  std::list<Call> calls_;  ///< all that have no result yet
  std::deque<CallPtr> waiting_;
  std::optional<TimePoint> wake_;
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
