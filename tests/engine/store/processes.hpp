// A child process that runs a function of the test and talks to it through a pipe.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace ridgeline::store::samples {

class Child {
 public:
  /// Forks; the child runs `body` with the writing end of the pipe and exits without running any destructor
  /// of the parent's. What `body` throws is written to the pipe.
  explicit Child(const std::function<void(int pipe)>& body);
  ~Child();  ///< kills it if it still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  /// The next number that `say` wrote; nullopt at the end of the pipe.
  std::optional<int> hear();
  /// All that is still in the pipe, until the child has closed it.
  std::string rest();
  void kill_now();  ///< SIGKILL, and waits

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
};

void say(int pipe, int number);
void say(int pipe, const std::string& text);

/// Drops root, if this process has it, so that permissions of files hold.
void become_ordinary();

}  // namespace ridgeline::store::samples
