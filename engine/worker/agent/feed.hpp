// Feeds an agent with requests: from frames on a descriptor, or from the files of a mailbox.
//
// A feed runs on a thread of its own and posts into the agent. `signals` is a signalfd; SIGTERM or SIGINT
// ends the feed. While the agent has `most_in_flight` requests, the feed reads no more, but still notices
// that the engine has closed the pipe.
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

/// Reads frames until the input ends, a signal comes or the bytes are no frame, then ends the agent. Answers
/// a message that cannot be decoded through `reply`.
void feed_from_stream(Agent& agent, int input, int signals, const Agent::Answer& reply,
                      const Agent::Log& log);

/// Answers the requests in DIR/outbox that have no answer in DIR/inbox.
class MailboxFeed {
 public:
  /// Opens the mailbox in `folder` and reads which requests are answered. Throws MachineCannot if its folders
  /// cannot be made.
  MailboxFeed(const std::filesystem::path& folder, Agent::Log log);

  /// Posts every open request, waits for the answers, and ends the agent.
  void feed(Agent& agent, int signals);
  /// Writes an answer as one line, which is on disk when this returns. Does not write a hello. Throws
  /// MachineCannot.
  void answer(const protocol::FromWorker& message);
  std::size_t answered() const { return answered_; }

 private:
  protocol::MailboxFolders folders_;
  Agent::Log log_;
  std::set<std::string> done_;  ///< ids that need no answer: answered by earlier runs, or posted by this one
  std::string results_;         ///< path of this run's file; "" until the first answer
  std::atomic<std::size_t> answered_{0};
};

}  // namespace ridgeline::agent
