#include "llm_clients/provider_client.hpp"

#include <algorithm>

#include "llm_clients/call_result.hpp"
#include "llm_clients/prices.hpp"
#include "llm_clients/provider_client_impl.hpp"
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

}  // namespace

ProviderClient::ProviderClient(ProviderParts parts)
    : parts_(std::move(parts)),
      protocol_(protocol_of(parts_.model.provider)),
      limiter_(parts_.model.limits),
      redact_(parts_.secrets),
      targets_(targets_of(parts_, parts_.endpoints ? *parts_.endpoints : own_endpoints_)),
      attempt_handler_(parts_.model, targets_, *parts_.timers, parts_.random),
      keys_(std::move(parts_.commands), parts_.model.name, *parts_.timers,
            {.key = [this](const std::string& key) { redact_.add(key); },
             .failed = [this](Target& target, const Failure& failure,
                              CircuitBreaker::Probe probe) { key_failed(target, failure, probe); },
             .done = [this] { pump(); }}),
      news_(parts_.model.name) {
  for (auto& target : targets_.all()) {
    redact_.add(target.key.key());
    // Another client's failure or answer at this endpoint concerns the requests here too. By a timer and not
    // directly, because the endpoint calls its listeners from inside that client.
    listening_.emplace_back(target.endpoint, target.endpoint->listen([this] { pump_at(now()); }));
  }
}

ProviderClient::~ProviderClient() {
  // First: from here on no handler is called any more.
  parts_.transport.reset();
  for (const auto& [endpoint, listener] : listening_) endpoint->forget(listener);
  keys_.close();
  for (auto& call : calls_) {
    auto result = cancelled(call);
    result.detail = "the client was destroyed before the answer came";
    if (call.reader) {
      // Without this, other clients would wait for a probe that never ends.
      call.state.target->endpoint->abandoned(call.state.probe);
      result.unsettled = unsettled_of_wire(call);
    }
    deliver(call, std::move(result));
  }
}

void ProviderClient::complete(LlmRequest request, Completion done) {
  const auto call = calls_.emplace(calls_.end());
  call->tokens = estimated_tokens(parts_.model, request);
  call->request = std::move(request);
  call->done = std::move(done);
  if (stopped_) return end(call, cancelled(*call));
  queue_.push(call);
  pump_at(now());
}

void ProviderClient::cancel(const std::string& address) {
  const auto call =
      std::ranges::find_if(calls_, [&](const Call& other) { return other.request.address == address; });
  if (call == calls_.end()) return;
  auto result = call->reader ? broken_off(*call) : unsent(*call);
  result.status = LlmStatus::cancelled;
  result.fault = Fault::endpoint;
  result.detail = "it was given up before the answer came";
  queue_.remove(call);
  end(call, std::move(result));
  pump_at(now());  // another request may take its place among the concurrent ones
}

void ProviderClient::stop_sending() {
  stopped_ = true;
  for (const auto& call : queue_.take_all()) end(call, cancelled(*call));
}

LlmResult ProviderClient::unsent(const Call& call) {
  LlmResult result;
  result.attempts = call.state.attempts;
  result.model_id = model().id;
  result.endpoint = without_query(protocol_.url(targets_.all().front().model));
  return result;
}

LlmResult ProviderClient::cancelled(const Call& call) const {
  auto result = stopped_result();
  result.attempts = call.state.attempts;
  return result;
}

void ProviderClient::end(CallPtr call, LlmResult result) {
  deliver(*call, std::move(result));
  calls_.erase(call);
}

/// Posts the callback, so that it runs on an empty stack and may call the client.
void ProviderClient::deliver(Call& call, LlmResult result) {
  const auto kept = std::make_shared<LlmResult>(std::move(result));
  parts_.timers->post([done = std::move(call.done), kept] { done(std::move(*kept)); });
}

std::unique_ptr<LlmClient> make_provider_client(ProviderParts parts) {
  return std::make_unique<ProviderClient>(std::move(parts));
}

std::int64_t estimated_tokens(const Model& model, const LlmRequest& request) {
  std::size_t bytes = 0;
  for (const auto& message : request.messages) bytes += message.content.size();
  return static_cast<std::int64_t>(bytes / 4) + effective_max_tokens(model, request);
}

}  // namespace ridgeline::llm
