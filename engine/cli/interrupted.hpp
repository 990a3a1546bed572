// Ways out of a command that are neither success nor failure: what it began can be gone on with.
#pragma once

#include "engine/core/error.hpp"

namespace ridgeline::cli {

/// Thrown where a command stops because the user asked it to; the message says how to go on.
class Interrupted : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 130; }
};

/// Thrown where a campaign cannot go on now (an outage, a refused key, a cap); the message says why, and with
/// which command it goes on.
class Paused : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 4; }
};

}  // namespace ridgeline::cli
