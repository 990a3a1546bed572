// The three ways an operation ends early. Everything else is a result with a status and a reason.
//
// Each message says what is wrong, where, and how to fix it; none carries a secret. `exit_code` is what the
// `ridgeline` commands return for it (docs/architecture.md, "Exit status").
#pragma once

#include <stdexcept>
#include <string>

namespace ridgeline {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  virtual int exit_code() const noexcept { return 1; }
};

/// The user's input is wrong: a file, a key, a flag, another program's store. Thrown before anything is
/// spent.
class BadInput : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 2; }
};

/// The input is right and this machine cannot do it: no compiler, no isolation, a full disk.
class MachineCannot : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 3; }
};

}  // namespace ridgeline
