// Runs a program that prints a key: without a shell, without input, for a limited time. Its output is a
// secret and goes to the caller alone; its stderr is discarded, since it may hold part of the secret.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace ridgeline::llm {

struct CommandOutcome {
  std::string output;   ///< what it printed, without white space around it
  std::string problem;  ///< why there is no output: "ended with 1"; never contains what it printed
};

class CommandRunner {
 public:
  CommandRunner() = default;
  CommandRunner(const CommandRunner&) = delete;  // running commands hold a pointer to it
  CommandRunner& operator=(const CommandRunner&) = delete;
  virtual ~CommandRunner() = default;  ///< kills running programs; no `done` is called any more

  /// Starts the program `words[0]` and returns. Calls `done` once on the io_context's thread, never from
  /// inside.
  virtual void run(const std::vector<std::string>& words, std::function<void(CommandOutcome)> done) = 0;
};

/// A program that runs longer than `limit` seconds is killed. `io` must outlive the runner.
std::unique_ptr<CommandRunner> make_command_runner(boost::asio::io_context& io, double limit = 60);

}  // namespace ridgeline::llm
