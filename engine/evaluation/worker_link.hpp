// The port to one running worker: frames out, messages in, and its end. Implemented by a child process, and
// by a fake in tests.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ridgeline::evaluation {

/// The events of a link. They come on the io_context's thread, never from inside StartLink or a method of the
/// link, and not after the link's destruction.
struct LinkEvents {
  std::function<void(nlohmann::json message)> message;
  std::function<void(std::string why)> ended;  ///< once and last; `why`: exit status and the end of stderr
  std::function<void(std::string line)> log;   ///< a line that the worker wrote to stderr
};

/// One running worker. The owner of the link owns the worker.
class WorkerLink {
 public:
  virtual ~WorkerLink() = default;  ///< ends the worker and every process it started; may block for seconds
  /// Queues an encoded frame. Frames arrive in order and none is lost, until `close_input`, `kill` or the
  /// worker's end; from then on it drops frames without an error.
  virtual void send(std::string frame) = 0;
  /// Closes the worker's stdin, and drops frames that are still queued. A worker ends at it. The destructor
  /// still waits for that end, so close the inputs of several workers before the first is destroyed.
  virtual void close_input() = 0;
  /// Kills the worker; `ended` follows, with `why` as the first cause.
  virtual void kill(std::string why) = 0;
};

/// Starts worker number `worker`. Throws MachineCannot if it cannot be started at all.
using StartLink = std::function<std::unique_ptr<WorkerLink>(int worker, LinkEvents events)>;

}  // namespace ridgeline::evaluation
