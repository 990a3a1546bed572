// Deferred evaluation: requests go into files that somebody carries to a machine with the device, results
// come back the same way (engine/worker/protocol/mailbox.hpp; `ridgeline-worker --mailbox DIR` answers
// there).
//
// What is answered already, by an earlier run too, is answered at once. What is new is gathered until `flush`
// writes it as one file, or until nothing new came for `quiet_seconds`. While requests wait, the inbox is
// looked at now and then, so a folder on a shared file system works live.
#pragma once

#include <memory>

#include "engine/evaluation/evaluator.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::evaluation {

struct MailboxSettings {
  std::string folder;
  double quiet_seconds = 0.5;
  double look_seconds = 1;
};

/// One thread: the io_context's. Its timers keep the io_context busy while requests wait, until `stop`.
class MailboxEvaluator final : public Evaluator {
 public:
  using Log = std::function<void(const std::string& line)>;

  /// Throws MachineCannot if the folder cannot be made.
  MailboxEvaluator(boost::asio::io_context& io, MailboxSettings settings, Log log);
  ~MailboxEvaluator() override;

  /// A result that says "failed" (that machine could not) ends the request as unavailable; remove its line to
  /// ask again.
  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) override;

  /// Writes what was gathered; the number of requests written. Throws MachineCannot.
  std::size_t flush();
  /// Reads what has come into the inbox.
  void collect();
  std::size_t waiting() const;
  void stop();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace ridgeline::evaluation
