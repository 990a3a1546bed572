// Feeds an agent with requests: from frames on a descriptor, or from the files of a mailbox.
//
// The caller runs a feed on a thread beside the agent's; a feed blocks and posts into the agent. `signals` is
// a signalfd for SIGTERM and SIGINT, either of which ends the feed. While the agent has `most_in_flight`
// requests, the feed reads no more, but still notices that the engine has closed the pipe.
//
// At its end a feed ends the agent (Agent::end): requests in flight then get no answer.
#pragma once

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <set>
#include <string>

#include "engine/worker/agent/agent.hpp"
#include "engine/worker/protocol/mailbox.hpp"

namespace ridgeline::agent {

inline constexpr std::size_t most_in_flight = 256;

/// Reads frames until the input ends, a signal comes or the bytes are not a frame, then ends the agent.
/// Answers a message that cannot be decoded by calling `reply` on the feed's thread.
void feed_from_stream(Agent& agent, int input, int signals, const Agent::Answer& reply,
                      const Agent::Log& log);

/// Has the requests in DIR/outbox answered that have no answer in DIR/inbox. `feed` runs on the feed's
/// thread, `answer` on the agent's.
class MailboxFeed {
 public:
  /// Opens the mailbox in `folder` and reads which requests are answered. Throws MachineCannot if its folders
  /// cannot be made.
  MailboxFeed(const std::filesystem::path& folder, Agent::Log log);

  /// Posts every request without an answer that is there now, waits for their answers, and ends the agent. A
  /// signal ends the wait. Logs and skips a line that cannot be decoded.
  void feed(Agent& agent, int signals);
  /// Writes an answer as one line, which is on disk when this returns. Ignores a hello (a worker's first
  /// message, which only a pipe's reader wants). Throws MachineCannot.
  void answer(const protocol::FromWorker& message);
  /// Returns the number of answers that this object has written. Any thread.
  std::size_t answered() const { return answered_; }

 private:
  protocol::MailboxFolders folders_;
  Agent::Log log_;
  std::set<std::string> done_;  ///< ids that need no answer: answered by earlier runs, or posted by this one
  std::string results_;         ///< path of this run's file; "" until the first answer
  std::atomic<std::size_t> answered_{0};
};

}  // namespace ridgeline::agent
