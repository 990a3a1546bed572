#include "llm_clients/key_fetcher.hpp"

#include <utility>

#include "llm_clients/keys.hpp"

namespace ridgeline::llm {

void KeyFetcher::fetch(Target& target) {
  if (target_) return;
  target_ = &target;
  // If the breaker is open, this command is the probe: without a key no request can go.
  probe_ = target.endpoint->begin_request(timers_.now());
  commands_->run(target.key.command(), [this](const CommandOutcome& outcome) { printed(outcome); });
}

void KeyFetcher::close() {
  commands_.reset();
  if (target_) target_->endpoint->abandoned(probe_);
  target_ = nullptr;
}

void KeyFetcher::printed(const CommandOutcome& outcome) {
  // Cleared first, because `done` may start the next command.
  auto& target = *std::exchange(target_, nullptr);
  auto problem = outcome.problem;
  if (problem.empty() && !may_be_key(outcome.output)) problem = "prints something that is no key";
  if (problem.empty()) {
    events_.key(outcome.output);
    // The key says nothing about the endpoint, so the probe is abandoned and the next request is one.
    target.key.printed(outcome.output, timers_.now());
    target.endpoint->abandoned(probe_);
  } else {
    // Such commands ask a server for a token, so their failure is often an outage of the network. Blaming the
    // endpoint makes requests wait, as in an outage. One failure is enough: the next attempt would fail too.
    const Failure failure{.status = LlmStatus::unauthorized,
                          .detail = "models." + entry_ + ".key_command: " + target.key.command().front() +
                                    ' ' + problem + "; run it by hand to see what it says",
                          .blame = Blame::endpoint,
                          .why = "key_command",
                          .may_be_billed = false,
                          .opens_breaker = true};
    events_.failed(target, failure, probe_);
  }
  events_.done();
}

}  // namespace ridgeline::llm
