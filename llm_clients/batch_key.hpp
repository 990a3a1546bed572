// Provides the key for each exchange of a batch client. Runs the entry's key_command again when needed, since
// a batch takes hours and a printed key may expire sooner.
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
  /// Called with nothing once there is a key, else with why there is none.
  using Ready = std::function<void(const std::optional<Failure>&)>;

  /// `commands` may be null if the entry has no key_command. `entry` names the model in messages. Each
  /// printed key is added to `redact`.
  BatchKey(KeySource source, std::unique_ptr<CommandRunner> commands, std::string entry, Timers& timers,
           Redactor& redact);

  const std::string& current() const { return source_.key(); }
  /// Makes sure that there is a key: calls `ready` at once, or when the command has ended.
  void ensure(Ready ready);
  void accepted(const std::string& key) { source_.accepted(key); }
  /// Records that the server refused `key`. Returns whether the command may print another.
  bool refused(const std::string& key) { return source_.refused(key); }
  /// Stops the command; no `ready` is called any more.
  void close();

 private:
  void printed(const CommandOutcome& outcome);

  KeySource source_;
  std::unique_ptr<CommandRunner> commands_;
  std::string entry_;
  Timers& timers_;
  Redactor& redact_;
  std::vector<Ready> waiting_;  ///< callers that wait while the command runs
};

}  // namespace ridgeline::llm
