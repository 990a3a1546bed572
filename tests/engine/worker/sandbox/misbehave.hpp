// The test program started again as a child that does one thing it should not. By convention a child ends
// with kSucceeded when the danger worked and with kRefused when a call was refused.
#pragma once

namespace ridgeline::misbehave {

inline constexpr int kSucceeded = 0;
inline constexpr int kRefused = 42;

/// Runs the danger named by arguments[0]; returns the exit status, -1 for a name that it does not know.
int run(int count, char** arguments);

}  // namespace ridgeline::misbehave
