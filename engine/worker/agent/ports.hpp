// What the agent does to the world, as two small ports: it builds sources and it asks judges.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::agent {

struct BuildOutcome {
  bool built = false;
  std::string artefact;              ///< absolute path, if built
  std::shared_ptr<const void> hold;  ///< the artefact stays as long as a copy of this lives
  Status status = Status::failed;  ///< if not built: the candidate's fault, or this machine's (`unavailable`)
  Reason reason = Reason::none;    ///< if not built
  std::string detail;              ///< one line
  std::string log;                 ///< the compiler's, bounded
  std::vector<std::string> flags;
  std::vector<KernelResources> resources;
  std::string compiler;
  double seconds = 0;
};

class Builder {
 public:
  virtual ~Builder() = default;
  /// Called from several threads at once. Does not throw: what goes wrong is an outcome.
  virtual BuildOutcome build(const protocol::Evaluate& request) = 0;
  /// Called once on a builder's thread before anything else.
  virtual void warm_up() {}
  /// Modules of torch will come: what reads their answers may be started. On a builder's thread; does not
  /// throw.
  virtual void expect_modules() {}
};

/// The judge of one device. All calls but `stop` come from the same thread, which lives as long as the seat.
class JudgeSeat {
 public:
  virtual ~JudgeSeat() = default;
  /// Starts a fresh judge and hears what it can. Throws Error.
  virtual protocol::Described start() = 0;
  /// Blocks for the answer. Throws Error if the judge is lost; it must be started again then.
  virtual protocol::FromJudge ask(const protocol::ToJudge& request) = 0;
  /// From any thread: ends the judge; a blocked call throws.
  virtual void stop() = 0;
};

}  // namespace ridgeline::agent
