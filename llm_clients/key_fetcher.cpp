#include "llm_clients/key_fetcher.hpp"

#include <utility>

#include "llm_clients/keys.hpp"

namespace ridgeline::llm {

void KeyFetcher::fetch(Target& target) {
  if (target_) return;
  target_ = &target;
  probe_ = target.endpoint->begin_request(timers_.now());
  commands_->run(target.key.command(), [this](const CommandOutcome& outcome) { printed(outcome); });
}

void KeyFetcher::close() {
  commands_.reset();
  if (target_) target_->endpoint->abandoned(probe_);
  target_ = nullptr;
}

void KeyFetcher::printed(const CommandOutcome& outcome) {
  auto& target = *std::exchange(target_, nullptr);
  auto problem = outcome.problem;
  if (problem.empty() && !may_be_key(outcome.output)) problem = "prints something that is no key";
  if (problem.empty()) {
    events_.key(outcome.output);
    target.key.printed(outcome.output, timers_.now());
    target.endpoint->abandoned(probe_);
  } else {
    // As likely as not the network is out for it too: it is waited for like the endpoint.
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
