#include "tests/engine/store/processes.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <stdexcept>

namespace ridgeline::store::samples {

Child::Child(const std::function<void(int)>& body) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no fork");
  if (pid_ == 0) {
    close(ends[0]);
    try {
      body(ends[1]);
    } catch (const std::exception& error) {
      say(ends[1], error.what());
    }
    _exit(0);
  }
  close(ends[1]);
  pipe_ = ends[0];
}

Child::~Child() {
  kill_now();
  close(pipe_);
}

void Child::kill_now() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

std::optional<int> Child::hear() {
  int number = 0;
  // Writes of so few bytes are atomic (PIPE_BUF), so a number is there whole or not at all.
  return read(pipe_, &number, sizeof number) == sizeof number ? std::optional(number) : std::nullopt;
}

std::string Child::rest() {
  std::string text;
  char bytes[4096];
  for (ssize_t n = 0; (n = read(pipe_, bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<std::size_t>(n));
  return text;
}

void say(int pipe, int number) {
  if (write(pipe, &number, sizeof number) != sizeof number) _exit(1);
}
void say(int pipe, const std::string& text) {
  if (write(pipe, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(1);
}

void become_ordinary() {
  if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
    throw std::runtime_error("cannot drop root");
}

}  // namespace ridgeline::store::samples
