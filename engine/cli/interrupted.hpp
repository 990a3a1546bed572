// Ctrl-C, as the way out of a command.
#pragma once

#include "engine/core/error.hpp"

namespace ridgeline::cli {

/// Thrown where a command stops because the user asked it to; the message says how to go on.
class Interrupted : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 130; }
};

}  // namespace ridgeline::cli
