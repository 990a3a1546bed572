// Where the key of a target comes from: it is there, or a command prints it, now and then anew. Pure: told
// what the command printed, and what became of requests that carried the key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

class KeySource {
 public:
  KeySource() = default;  ///< no key
  explicit KeySource(std::string key) : key_(std::move(key)) {}
  /// `refresh`: seconds after which a key is asked for anew; 0: only when it is refused.
  KeySource(std::vector<std::string> command, double refresh)
      : command_(std::move(command)), refresh_(refresh) {}

  const std::string& key() const { return key_; }
  const std::vector<std::string>& command() const { return command_; }

  /// The command must be run before the next request.
  bool wants_command(TimePoint now) const;
  void printed(std::string key, TimePoint now);

  /// A request that carried `key` was turned away for it. Returns whether another key may be had: the command
  /// is asked once more for each that had been accepted before.
  bool refused(const std::string& key);
  void accepted(const std::string& key);

 private:
  std::string key_;
  std::vector<std::string> command_;
  double refresh_ = 0;
  std::optional<TimePoint> printed_at_;
  int refusals_ = 0;  ///< since one was accepted
};

}  // namespace ridgeline::llm
