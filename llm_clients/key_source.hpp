// Holds the key of a target and decides when its key_command must run again. Does no I/O: the caller reports
// what the command printed, and whether requests with the key were accepted.
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
  /// `refresh`: seconds after which the command runs again; 0: only after a refusal.
  KeySource(std::vector<std::string> command, double refresh)
      : command_(std::move(command)), refresh_(refresh) {}

  const std::string& key() const { return key_; }
  const std::vector<std::string>& command() const { return command_; }

  /// Whether the command must run before the next request.
  bool wants_command(TimePoint now) const;
  void printed(std::string key, TimePoint now);

  /// Records that the server refused `key`. Returns whether another key may be available: the command runs
  /// once more after each key that had been accepted before.
  bool refused(const std::string& key);
  void accepted(const std::string& key);

 private:
  std::string key_;
  std::vector<std::string> command_;
  double refresh_ = 0;
  std::optional<TimePoint> printed_at_;
  int refusals_ = 0;  ///< since a key was last accepted
};

}  // namespace ridgeline::llm
