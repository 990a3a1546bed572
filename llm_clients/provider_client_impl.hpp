// The class behind make_provider_client. Private to provider_client*.cpp:
//   provider_client.cpp           the calls of the port, and how results are delivered
//   provider_client_queue.cpp     which request goes when, and the wait for a failing endpoint
//   provider_client_attempts.cpp  one attempt, from sending to its result
//
// Everything runs on the io_context's thread.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llm_clients/answer_reader.hpp"
#include "llm_clients/attempt_handler.hpp"
#include "llm_clients/endpoint_news.hpp"
#include "llm_clients/key_fetcher.hpp"
#include "llm_clients/provider_client.hpp"
#include "llm_clients/rate_limiter.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/send_queue.hpp"
#include "llm_clients/targets.hpp"

namespace ridgeline::llm {

class ProviderClient : public LlmClient {
 public:
  explicit ProviderClient(ProviderParts parts);
  ~ProviderClient() override;

  void complete(LlmRequest request, Completion done) override;
  void cancel(const std::string& address) override;
  void stop_sending() override;

 private:
  struct Call {
    LlmRequest request;
    Completion done;
    std::int64_t tokens = 0;  ///< estimated, for the rate limiter
    AttemptState state;
    std::optional<LlmResult> last;  ///< the result of the last failed attempt, without the reported cost
    // The attempt that is under way:
    std::uint64_t ticket = 0;    ///< the rate limiter's
    std::uint64_t exchange = 0;  ///< the transport's
    std::string url;
    std::string body;
    std::unique_ptr<AnswerReader> reader;  ///< null if no attempt is under way
  };
  using CallPtr = std::list<Call>::iterator;  // stays valid while other calls end

  TimePoint now() const { return parts_.timers->now(); }
  const Model& model() const { return parts_.model; }
  /// Whether requests wait for a failing endpoint. Without patience, breakers stop no request.
  bool patient() const { return model().patience.seconds > 0; }

  // provider_client_queue.cpp

  /// Calls `pump` at `time` or before. Only the earliest time is kept, and `pump` sets the next one.
  void pump_at(TimePoint time);
  /// Starts all requests that may start now, in order.
  void pump();
  /// Starts the first request of the queue. Returns false if it has to wait.
  bool start_next(TimePoint time);
  /// Sets a timer for the next probe, or ends the wait if patience is over.
  void wait_for_endpoint(const Targets::Choice& choice, TimePoint time);
  void key_failed(Target& target, const Failure& failure, CircuitBreaker::Probe probe);
  /// Ends all requests in the queue because the endpoint failed for the time `waited`.
  void give_up_waiting(Failure failure, TimePoint::duration waited);
  /// Ends all requests in the queue with the failure of one of them.
  void give_up_waiting(const Failure& failure, Fault fault);
  void report_endpoints(TimePoint time);

  // provider_client_attempts.cpp

  void send(CallPtr call, Target& target, TimePoint time);
  static Flow on_body(Call& call, std::string_view bytes);
  void ended(CallPtr call, const HttpEnd& http_end);
  void give_back_limits(const Call& call, const Answer& answer);
  void failed(CallPtr call, const Failure& failure, LlmResult result, const RetryDecision& decision);
  /// Closes the connection of the attempt under way. Its result bounds what the provider may bill.
  LlmResult broken_off(Call& call);
  /// Bounds what the attempt under way may cost.
  Cost unsettled_of_wire(Call& call) const;

  // provider_client.cpp

  LlmResult unsent(const Call& call);
  LlmResult cancelled(const Call& call) const;
  /// Delivers the result and forgets the call.
  void end(CallPtr call, LlmResult result);
  void deliver(Call& call, LlmResult result);

  ProviderParts parts_;
  const Protocol& protocol_;
  RateLimiter limiter_;
  Redactor redact_;
  Endpoints own_endpoints_;  ///< used if `parts_.endpoints` is null
  Targets targets_;
  AttemptHandler attempt_handler_;
  KeyFetcher keys_;
  EndpointNews news_;
  std::vector<std::pair<std::shared_ptr<Endpoint>, int>> listening_;  ///< with the ids of `Endpoint::listen`
  std::list<Call> calls_;                                             ///< all requests without a result
  SendQueue<CallPtr> queue_;
  std::optional<TimePoint> wake_;  ///< when the timer of `pump_at` fires
  std::uint64_t exchanges_ = 0;    ///< how many attempts were sent; the last one's id
  bool stopped_ = false;
};

}  // namespace ridgeline::llm
