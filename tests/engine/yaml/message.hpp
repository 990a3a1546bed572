// The message that an action fails with, for tests that pin the words a user reads.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/core/error.hpp"

namespace ridgeline {

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const BadInput& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected BadInput, but nothing was thrown";
  return "";
}

}  // namespace ridgeline
