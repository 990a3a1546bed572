#include "llm_clients/key_desk.hpp"

#include <utility>

#include "llm_clients/keys.hpp"

namespace ridgeline::llm {

void KeyDesk::ask(Target& target) {
  if (asked_for_) return;
  asked_for_ = &target;
  probe_ = target.endpoint->take(timers_.now());
  commands_->run(target.key.command(), [this](const CommandOutcome& outcome) { printed(outcome); });
}

void KeyDesk::close() {
  commands_.reset();
  if (asked_for_) asked_for_->endpoint->abandoned(probe_);
  asked_for_ = nullptr;
}

void KeyDesk::printed(const CommandOutcome& outcome) {
  auto& target = *std::exchange(asked_for_, nullptr);
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
                          .at_once = true};
    events_.failed(target, failure, probe_);
  }
  events_.done();
}

}  // namespace ridgeline::llm
