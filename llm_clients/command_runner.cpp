#include "llm_clients/command_runner.hpp"

#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cmath>
#include <cstring>
#include <list>
#include <optional>

#include "engine/core/file_descriptor.hpp"
#include "engine/posix/child_process.hpp"
#include "engine/posix/pipe.hpp"
#include "llm_clients/timers.hpp"

extern char** environ;

namespace ridgeline::llm {
namespace {

using boost::system::error_code;

// A key has some hundred bytes, a JSON web token a few thousand.
constexpr std::size_t kMostOutput = 64 * 1024;
constexpr auto kExitPollInterval = std::chrono::milliseconds(20);

/// Returns all variables. The command is the user's own (gcloud, aws, vault) and finds its login through
/// them; it is not a candidate.
std::vector<std::string> whole_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
  return variables;
}

std::string without_space_around(std::string text) {
  const auto space = " \t\r\n";
  text.erase(text.find_last_not_of(space) + 1);
  text.erase(0, text.find_first_not_of(space));
  return text;
}

std::string in_words(const posix::ChildExit& end) {
  return (end.signalled ? "was ended by signal " : "ended with ") + std::to_string(end.code);
}

/// One program while it runs.
class Running : public std::enable_shared_from_this<Running> {
 public:
  using Done = std::function<void(CommandOutcome)>;

  Running(boost::asio::io_context& io, posix::ChildProcess child, FileDescriptor output, double limit,
          Done done)
      : child_(std::move(child)),
        output_(io, output.release()),
        deadline_(io),
        exit_poll_(io),
        limit_(limit),
        done_(std::move(done)) {}
  Running(const Running&) = delete;  // handlers in flight know it by address
  Running& operator=(const Running&) = delete;

  void start() {
    deadline_.expires_after(clock_seconds(limit_));
    deadline_.async_wait([weak = weak_from_this()](const error_code& error) {
      const auto self = weak.lock();
      if (!self || error) return;
      // Killed before the callback, which may start another command.
      self->kill();
      self->finish({"", "did not end within " + std::to_string(std::lround(self->limit_)) + " s"});
    });
    read();
  }

  void abandon() {
    done_ = nullptr;
    kill();
    close();
  }

 private:
  void read() {
    output_.async_read_some(boost::asio::buffer(buffer_),
                            [self = shared_from_this()](const error_code& error, std::size_t size) {
                              // Abandoned or finished: what is still read belongs to nobody.
                              if (!self->done_) return;
                              self->printed_.append(self->buffer_.data(), size);
                              if (self->printed_.size() > kMostOutput) {
                                self->kill();
                                self->finish({"", "prints more than a key"});
                              } else if (error) {
                                self->await_exit();
                              } else {
                                self->read();
                              }
                            });
  }

  /// Waits for the exit of a program that has closed its output, then passes on the output or the problem.
  void await_exit() {
    // Closing stdout is not the end. The exit status decides whether the output is a key, so it is polled
    // for.
    if (!child_.ends_within(std::chrono::milliseconds(0))) {
      exit_poll_.expires_after(kExitPollInterval);
      exit_poll_.async_wait([self = shared_from_this()](const error_code& error) {
        if (!error && self->done_) self->await_exit();
      });
      return;
    }
    if (const auto end = child_.wait(); !end.ok()) return finish({"", in_words(end)});
    auto output = without_space_around(std::move(printed_));
    if (output.empty()) return finish({"", "prints nothing"});
    finish({std::move(output), ""});
  }

  void kill() {
    if (child_) child_.end();
  }

  void close() {
    error_code ignored;
    output_.close(ignored);
    deadline_.cancel();
    exit_poll_.cancel();
  }

  void finish(CommandOutcome outcome) {
    const auto done = std::exchange(done_, nullptr);
    close();
    if (done) done(std::move(outcome));
  }

  posix::ChildProcess child_;
  boost::asio::posix::stream_descriptor output_;
  boost::asio::steady_timer deadline_, exit_poll_;
  double limit_;
  Done done_;
  std::array<char, 4096> buffer_{};
  std::string printed_;
};

class SpawningRunner : public CommandRunner {
 public:
  SpawningRunner(boost::asio::io_context& io, double limit) : io_(io), limit_(limit) {}
  ~SpawningRunner() override {
    for (const auto& weak : running_)
      if (const auto running = weak.lock()) running->abandon();
  }

  void run(const std::vector<std::string>& words, std::function<void(CommandOutcome)> done) override {
    std::erase_if(running_, [](const auto& weak) { return weak.expired(); });
    try {
      auto [read, write] = posix::make_pipe();
      // Its stderr goes to /dev/null, because what it writes there may contain the secret.
      posix::ChildProcess child({.words = words,
                                 .environment = whole_environment(),
                                 .descriptors = {{write.get(), STDOUT_FILENO}}});
      const auto running =
          std::make_shared<Running>(io_, std::move(child), std::move(read), limit_, std::move(done));
      running_.push_back(running);
      running->start();
    } catch (const posix::CannotStart& error) {
      fail(std::string("cannot be started (") + std::strerror(error.error) + ")", std::move(done));
    } catch (const MachineCannot& error) {
      fail(error.what(), std::move(done));
    }
  }

 private:
  void fail(std::string problem, std::function<void(CommandOutcome)> done) {
    boost::asio::post(io_,
                      // Posted: `done` is never called from inside `run`, and no more after the runner is
                      // destroyed.
                      [problem = std::move(problem), done = std::move(done), alive = std::weak_ptr(alive_)] {
                        if (!alive.expired()) done({"", problem});
                      });
  }

  boost::asio::io_context& io_;
  double limit_;
  std::list<std::weak_ptr<Running>> running_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

std::unique_ptr<CommandRunner> make_command_runner(boost::asio::io_context& io, double limit) {
  return std::make_unique<SpawningRunner>(io, limit);
}

}  // namespace ridgeline::llm
