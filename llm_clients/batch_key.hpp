// The key of a batch client, asked for before each exchange: a batch outlives a key that a command prints.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llm_clients/answer.hpp"
#include "llm_clients/command_runner.hpp"
#include "llm_clients/key_source.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

class BatchKey {
 public:
  /// Nothing: there is a key.
  using Ready = std::function<void(const std::optional<Failure>&)>;

  /// `commands` may be null where no key is printed. `entry` names the model in messages. What is printed is
  /// added to `redact`.
  BatchKey(KeySource source, std::unique_ptr<CommandRunner> commands, std::string entry, Timers& timers,
           Redactor& redact);

  const std::string& now() const { return source_.key(); }
  /// Calls `ready` at once, or when the command has ended.
  void have(Ready ready);
  void accepted(const std::string& key) { source_.accepted(key); }
  /// A request that carried `key` was turned away for it. Returns whether another may be had.
  bool refused(const std::string& key) { return source_.refused(key); }
  /// `ready` is called no more.
  void close();

 private:
  void printed(const CommandOutcome& outcome);

  KeySource source_;
  std::unique_ptr<CommandRunner> commands_;
  std::string entry_;
  Timers& timers_;
  Redactor& redact_;
  std::vector<Ready> waiting_;  ///< while the command runs
};

}  // namespace ridgeline::llm
