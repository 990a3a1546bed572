// Where an agent's requests come from and its answers go: frames on two descriptors, or the files of a
// mailbox.
//
// A feed runs on a thread of its own and posts into the agent; `signals` is a signalfd on which SIGTERM or
// SIGINT ends it. It stops reading while the agent has `most_in_flight` requests, but still sees the other
// end hang up.
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

/// Reads frames until the input ends, a signal comes or nonsense does; ends the agent then. `reply` tells the
/// other end of a message that could not be understood.
void feed_from_stream(Agent& agent, int input, int signals, const Agent::Answer& reply,
                      const Agent::Log& log);

/// Answers what DIR/outbox asks and DIR/inbox does not answer yet.
class MailboxFeed {
 public:
  /// Throws MachineCannot if the results cannot be written.
  MailboxFeed(const std::filesystem::path& folder, Agent::Log log);

  /// Posts every open request, then waits for the answers and ends the agent.
  void feed(Agent& agent, int signals);
  /// One line of the results, on disk when this returns. A hello is not written.
  void answer(const protocol::FromWorker& message);
  std::size_t answered() const { return answered_; }

 private:
  protocol::MailboxFolders folders_;
  Agent::Log log_;
  std::set<std::string> done_;  ///< ids answered by earlier runs
  std::string results_;         ///< path of this run's file; "" until the first answer
  std::atomic<std::size_t> answered_{0};
};

}  // namespace ridgeline::agent
