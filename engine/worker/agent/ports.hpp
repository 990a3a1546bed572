// The agent's two ports to the world: Builder compiles candidates, JudgeConnection talks to the judge of a
// device. Tests implement both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::agent {

/// The result of a build.
struct BuildOutcome {
  bool built = false;
  std::string artefact;              ///< absolute path, if built
  std::shared_ptr<const void> hold;  ///< keeps the artefact on disk as long as a copy of this lives
  Status status = Status::failed;  ///< if not built: `failed` (the candidate) or `unavailable` (this machine)
  Reason reason = Reason::none;    ///< if not built
  std::string detail;              ///< one line about the build or its failure
  std::string log;                 ///< the compiler's output, of bounded length
  std::vector<std::string> flags;
  std::vector<KernelResources> resources;
  std::string compiler;
  double seconds = 0;
};

class Builder {
 public:
  virtual ~Builder() = default;
  /// Builds the request's candidate. Called from several threads at once. Does not throw: a failure is an
  /// outcome.
  virtual BuildOutcome build(const protocol::Evaluate& request) = 0;
  /// Makes the first build faster. Called once, on a builder thread, before any build.
  virtual void warm_up() {}
  /// Announces that modules of torch will come, so that processes which take seconds to start can start now.
  /// Called on a builder thread. Does not throw.
  virtual void expect_modules() {}
};

/// The connection to the judge of one device. All calls but `stop` come from one thread, which lives as long
/// as the connection.
class JudgeConnection {
 public:
  virtual ~JudgeConnection() = default;
  /// Starts a new judge and returns its description of the machine. Throws Error.
  virtual protocol::Described start() = 0;
  /// Sends a request and blocks until the answer. Throws Error if the judge is lost; the caller then starts a
  /// new one.
  virtual protocol::FromJudge call(const protocol::ToJudge& request) = 0;
  /// Ends the judge; a blocked call throws. May be called from any thread.
  virtual void stop() = 0;
};

}  // namespace ridgeline::agent
