// Ends of a command that are neither success nor failure: what it began can be continued.
#pragma once

#include "engine/core/error.hpp"

namespace ridgeline::cli {

/// Thrown if a command stops because the user asked it to. The message says how to go on.
class Interrupted : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 130; }
};

/// Thrown if a campaign cannot go on now (an outage, a refused key, a cap). The message says why, and which
/// command goes on.
class Paused : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 4; }
};

}  // namespace ridgeline::cli
