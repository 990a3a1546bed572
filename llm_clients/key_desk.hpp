// Has the command of a target print its key, one at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "llm_clients/command_runner.hpp"
#include "llm_clients/targets.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

class KeyDesk {
 public:
  struct Events {
    std::function<void(const std::string& key)> key;  ///< first of all; the target has it afterwards
    std::function<void(Target&, const Failure&, bool probe)> failed;
    std::function<void()> done;  ///< after one of the two
  };

  /// `commands` may be null where no key is printed. `entry` names the model in messages.
  KeyDesk(std::unique_ptr<CommandRunner> commands, std::string entry, Timers& timers, Events events)
      : commands_(std::move(commands)),
        entry_(std::move(entry)),
        timers_(timers),
        events_(std::move(events)) {}

  /// Nothing is to be sent to `target` until it is done. A probe that is due is this. One that waits already
  /// is not asked again.
  void ask(Target& target);
  /// No event comes any more.
  void close();

 private:
  void printed(const CommandOutcome& outcome);

  std::unique_ptr<CommandRunner> commands_;
  std::string entry_;
  Timers& timers_;
  Events events_;
  Target* asked_for_ = nullptr;
  bool probe_ = false;
};

}  // namespace ridgeline::llm
