// Runs a program for what it prints: no shell, no input, an end after a while. What it prints is a secret and
// goes to the caller alone; what it says on stderr goes nowhere.
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
  std::string output;   ///< without the space around it
  std::string problem;  ///< why there is none: "ended with 1"; never what it printed
};

class CommandRunner {
 public:
  CommandRunner() = default;
  CommandRunner(const CommandRunner&) = delete;  // what runs knows it by address
  CommandRunner& operator=(const CommandRunner&) = delete;
  virtual ~CommandRunner() = default;  ///< kills what runs; no call comes any more

  /// Returns at once; `done` is called once, never from inside.
  virtual void run(const std::vector<std::string>& words, std::function<void(CommandOutcome)> done) = 0;
};

/// `limit` in seconds. `io` must outlive the runner.
std::unique_ptr<CommandRunner> make_command_runner(boost::asio::io_context& io, double limit = 60);

}  // namespace ridgeline::llm
