// Runs the key_command of a target to get its key. Runs one command at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "llm_clients/command_runner.hpp"
#include "llm_clients/targets.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

class KeyFetcher {
 public:
  struct Events {
    std::function<void(const std::string& key)> key;  ///< called before the target gets the key
    std::function<void(Target&, const Failure&, CircuitBreaker::Probe)> failed;
    std::function<void()> done;  ///< called after `key` or `failed`
  };

  /// `commands` may be null if no target has a key_command. `entry` names the model in messages.
  KeyFetcher(std::unique_ptr<CommandRunner> commands, std::string entry, Timers& timers, Events events)
      : commands_(std::move(commands)),
        entry_(std::move(entry)),
        timers_(timers),
        events_(std::move(events)) {}

  /// Starts the command of `target`, unless a command runs already. The caller sends nothing to `target`
  /// until `done`. If the breaker's next request would be a probe, running the command counts as that probe.
  void fetch(Target& target);
  /// Stops the command; no event is called any more.
  void close();

 private:
  void printed(const CommandOutcome& outcome);

  std::unique_ptr<CommandRunner> commands_;
  std::string entry_;
  Timers& timers_;
  Events events_;
  Target* target_ = nullptr;  ///< whose command runs; null: none runs
  CircuitBreaker::Probe probe_ = CircuitBreaker::Probe::none;
};

}  // namespace ridgeline::llm
