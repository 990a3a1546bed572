// A child process that runs a function and tells lines through a pipe, until it ends or is killed.
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace ridgeline::bench {

class Forked {
 public:
  /// `body` gets the pipe and returns the exit status. The parent must have one thread and no open store.
  explicit Forked(const std::function<int(int pipe)>& body) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("no fork");
    if (pid_ == 0) {
      close(ends[0]);
      try {
        _exit(body(ends[1]));
      } catch (const std::exception& error) {
        std::fprintf(stderr, "bench-kill: the engine ended: %s\n", error.what());
      }
      _exit(3);
    }
    close(ends[1]);
    pipe_ = ends[0];
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
  }
  ~Forked() {
    kill_now();
    close(pipe_);
  }
  Forked(const Forked&) = delete;  // it would be waited for twice
  Forked& operator=(const Forked&) = delete;

  pid_t pid() const { return pid_; }

  /// Hands out the whole lines that have come.
  void hear(const std::function<void(const std::string& line)>& take) {
    std::array<char, 4096> bytes{};
    for (ssize_t count; (count = read(pipe_, bytes.data(), bytes.size())) > 0;)
      heard_.append(bytes.data(), static_cast<std::size_t>(count));
    for (std::size_t end; (end = heard_.find('\n')) != std::string::npos; heard_.erase(0, end + 1))
      take(heard_.substr(0, end));
  }

  /// Its exit status, -1 if it was killed, nullopt while it runs.
  std::optional<int> ended() {
    int status = 0;
    if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_)
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return status_;
  }

  void kill_now() {
    if (status_) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    status_ = -1;
  }

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
  std::string heard_;
  std::optional<int> status_;
};

}  // namespace ridgeline::bench
