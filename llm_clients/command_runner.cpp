#include "llm_clients/command_runner.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <list>
#include <optional>

#include "engine/core/file_descriptor.hpp"
#include "llm_clients/timers.hpp"

extern char** environ;

namespace ridgeline::llm {
namespace {

using boost::system::error_code;

constexpr std::size_t kMostOutput = 64 * 1024;
constexpr auto kLookForTheEnd = std::chrono::milliseconds(20);

/// The child's number, or minus the error. It leads a process group, so that its children end with it.
pid_t spawn(const std::vector<std::string>& words, int output) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error ? -error : child;
}

std::string without_space_around(std::string text) {
  const auto space = " \t\r\n";
  text.erase(text.find_last_not_of(space) + 1);
  text.erase(0, text.find_first_not_of(space));
  return text;
}

std::string end_of(int status) {
  if (WIFEXITED(status)) return "ended with " + std::to_string(WEXITSTATUS(status));
  return "was ended by signal " + std::to_string(WTERMSIG(status));
}

/// One program while it runs.
class Running : public std::enable_shared_from_this<Running> {
 public:
  using Done = std::function<void(CommandOutcome)>;

  Running(boost::asio::io_context& io, pid_t child, FileDescriptor output, double limit, Done done)
      : child_(child),
        output_(io, output.release()),
        over_(io),
        look_(io),
        limit_(limit),
        done_(std::move(done)) {}
  ~Running() { kill(); }
  Running(const Running&) = delete;  // it kills its child once
  Running& operator=(const Running&) = delete;

  void start() {
    over_.expires_after(clock_seconds(limit_));
    over_.async_wait([weak = weak_from_this()](const error_code& error) {
      const auto self = weak.lock();
      if (!self || error) return;
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
                              if (!self->done_) return;
                              self->printed_.append(self->buffer_.data(), size);
                              if (self->printed_.size() > kMostOutput) {
                                self->kill();
                                self->finish({"", "prints more than a key"});
                              } else if (error) {
                                self->look_for_end();
                              } else {
                                self->read();
                              }
                            });
  }

  /// Its output is closed: it is about to end.
  void look_for_end() {
    int status = 0;
    const auto ended = ::waitpid(child_, &status, WNOHANG);
    if (ended == 0) {
      look_.expires_after(kLookForTheEnd);
      look_.async_wait([self = shared_from_this()](const error_code& error) {
        if (!error && self->done_) self->look_for_end();
      });
      return;
    }
    child_ = 0;
    if (ended < 0 || status != 0) return finish({"", ended < 0 ? "was lost" : end_of(status)});
    auto output = without_space_around(std::move(printed_));
    if (output.empty()) return finish({"", "prints nothing"});
    finish({std::move(output), ""});
  }

  void kill() {
    if (child_ <= 0) return;
    ::kill(-child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    child_ = 0;
  }

  void close() {
    error_code ignored;
    output_.close(ignored);
    over_.cancel();
    look_.cancel();
  }

  void finish(CommandOutcome outcome) {
    const auto done = std::exchange(done_, nullptr);
    close();
    if (done) done(std::move(outcome));
  }

  pid_t child_;
  boost::asio::posix::stream_descriptor output_;
  boost::asio::steady_timer over_, look_;
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
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return fail(std::strerror(errno), std::move(done));
    FileDescriptor ours(ends[0]);
    const FileDescriptor theirs(ends[1]);
    const auto child = spawn(words, theirs.get());
    if (child < 0)
      return fail(std::string("cannot be started (") + std::strerror(-child) + ")", std::move(done));
    const auto running = std::make_shared<Running>(io_, child, std::move(ours), limit_, std::move(done));
    running_.push_back(running);
    running->start();
  }

 private:
  void fail(std::string problem, std::function<void(CommandOutcome)> done) {
    boost::asio::post(io_,
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
