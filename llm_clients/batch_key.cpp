#include "llm_clients/batch_key.hpp"

#include <utility>

#include "llm_clients/keys.hpp"

namespace ridgeline::llm {

BatchKey::BatchKey(KeySource source, std::unique_ptr<CommandRunner> commands, std::string entry,
                   Timers& timers, Redactor& redact)
    : source_(std::move(source)),
      commands_(std::move(commands)),
      entry_(std::move(entry)),
      timers_(timers),
      redact_(redact) {
  redact_.add(source_.key());
}

void BatchKey::ensure(Ready ready) {
  if (waiting_.empty() && !source_.wants_command(timers_.now())) return ready(std::nullopt);
  waiting_.push_back(std::move(ready));
  if (waiting_.size() > 1) return;  // the command runs already
  commands_->run(source_.command(), [this](const CommandOutcome& outcome) { printed(outcome); });
}

void BatchKey::printed(const CommandOutcome& outcome) {
  auto problem = outcome.problem;
  if (problem.empty() && !may_be_key(outcome.output)) problem = "prints something that is no key";
  std::optional<Failure> failure;
  if (problem.empty()) {
    // Before the key is used for the first time, so that no answer with it is stored.
    redact_.add(outcome.output);
    source_.printed(outcome.output, timers_.now());
  } else {
    // Such commands ask a server for a token, so their failure is often an outage of the network. Blaming the
    // endpoint makes the batch wait, as in an outage.
    failure = Failure{.status = LlmStatus::unauthorized,
                      .detail = "models." + entry_ + ".key_command: " + source_.command().front() + ' ' +
                                problem + "; run it by hand to see what it says",
                      .blame = Blame::endpoint,
                      .why = "key_command",
                      .may_be_billed = false};
  }
  // Exchanged first: a callback may call `ensure` again.
  for (const auto& ready : std::exchange(waiting_, {})) ready(failure);
}

void BatchKey::close() {
  commands_.reset();
  waiting_.clear();
}

}  // namespace ridgeline::llm
