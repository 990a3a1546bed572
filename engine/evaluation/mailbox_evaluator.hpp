// Deferred evaluation: requests go into files that somebody carries to a machine with the device, and results
// come back the same way (engine/worker/protocol/mailbox.hpp; `ridgeline-worker --mailbox DIR` answers
// there).
//
// Requests that have an answer, also from an earlier run, are answered at once. New ones are gathered until
// `flush` writes them as one file, or until no request came for `flush_seconds`. While requests wait, the
// inbox is read every `poll_seconds`, so a folder on a shared file system works without anybody carrying
// files.
#pragma once

#include <memory>

#include "engine/evaluation/evaluator.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::evaluation {

/// The folder of the mailbox, and how often it is written and read.
struct MailboxSettings {
  std::string folder;
  double flush_seconds = 0.5;  ///< without a new request before the gathered ones are written
  double poll_seconds = 1;     ///< between two readings of the inbox
};

/// Evaluates through a mailbox. All methods belong to the io_context's thread. Its timers keep the io_context
/// busy while requests wait, until `stop`.
class MailboxEvaluator final : public Evaluator {
 public:
  using Log = std::function<void(const std::string& line)>;

  /// Opens the mailbox and reads what is in it. Throws MachineCannot if the folder cannot be made.
  MailboxEvaluator(boost::asio::io_context& io, MailboxSettings settings, Log log);
  ~MailboxEvaluator() override;

  /// A result "failed" (the other machine could not judge) gives a verdict `unavailable`; to ask again,
  /// remove its line.
  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) override;

  /// Writes the gathered requests that are still wanted (EvaluateRequest::wanted) as one file and returns
  /// their number. Throws MachineCannot.
  std::size_t flush();
  /// Reads the new lines in the inbox and answers the requests they belong to.
  void collect();
  std::size_t waiting() const;  ///< requests without an answer
  void stop();                  ///< drops the waiting requests; their `done` is not called

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace ridgeline::evaluation
