// The port to one running worker: frames out, messages in, and its end. A process stands behind it, or a
// test's fake.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ridgeline::evaluation {

/// Called on the io_context's thread, never from inside `start` or a method of the link, and not after its
/// destruction.
struct LinkEvents {
  std::function<void(nlohmann::json message)> message;
  std::function<void(std::string why)> ended;  ///< once and last; `why` with exit status and last words
  std::function<void(std::string line)> log;   ///< a line that the worker wrote to stderr
};

class WorkerLink {
 public:
  virtual ~WorkerLink() = default;  ///< ends the worker and all it started
  /// Queues an encoded frame; nothing is lost or reordered while the worker lives.
  virtual void send(std::string frame) = 0;
  /// Ends its input, at which a worker ends. The destructor then finds it gone and need not wait.
  virtual void close_input() = 0;
  /// Ends it by force; `ended` follows with `why` as its first cause.
  virtual void kill(std::string why) = 0;
};

/// Starts worker number `worker`. Throws MachineCannot if it cannot be started at all.
using StartLink = std::function<std::unique_ptr<WorkerLink>(int worker, LinkEvents events)>;

}  // namespace ridgeline::evaluation
