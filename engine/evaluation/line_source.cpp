#include "engine/evaluation/line_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {

LineSource::LineSource(int fd, std::size_t allowed, std::size_t longest_line, Events events)
    : fd_(fd), longest_line_(longest_line), events_(std::move(events)), allowed_(allowed) {
  if (::pipe2(stop_pipe_, O_CLOEXEC) != 0)
    throw MachineCannot(std::string("pipe2: ") + std::strerror(errno) + ": raise `ulimit -n`");
  thread_ = std::thread([this] { read_all(); });
}

LineSource::~LineSource() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  ::close(stop_pipe_[1]);
  thread_.join();
  ::close(stop_pipe_[0]);
}

void LineSource::allow_one() {
  {
    const std::lock_guard lock(mutex_);
    ++allowed_;
  }
  changed_.notify_all();
}

bool LineSource::wait_for_allowance() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return allowed_ > 0 || stopped_; });
  if (stopped_) return false;
  --allowed_;
  return true;
}

std::size_t LineSource::read_block(char* into, std::size_t most) {
  for (;;) {
    std::array<pollfd, 2> wait{{{fd_, POLLIN, 0}, {stop_pipe_[0], POLLIN, 0}}};
    if (::poll(wait.data(), wait.size(), -1) < 0 && errno != EINTR)
      throw MachineCannot(std::string("poll: ") + std::strerror(errno));
    if (wait[1].revents != 0) return 0;
    if (wait[0].revents == 0) continue;
    const ssize_t got = ::read(fd_, into, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN)
      throw MachineCannot(std::string("cannot read the requests: ") + std::strerror(errno));
  }
}

void LineSource::read_all() {
  std::array<char, 65536> block;
  std::string line;
  std::size_t number = 1;
  bool too_long = false;
  const auto finish_line = [&] {
    const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
    if (too_long || !blank) {
      if (!wait_for_allowance()) return false;
      if (too_long)
        events_.too_long(number);
      else
        events_.line(std::exchange(line, {}), number);
    }
    line.clear();
    too_long = false;
    ++number;
    return true;
  };
  try {
    while (const std::size_t got = read_block(block.data(), block.size())) {
      std::string_view rest(block.data(), got);
      for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
        if (!too_long) line += rest.substr(0, end);
        too_long = too_long || line.size() > longest_line_;
        if (!finish_line()) return;
      }
      if (!too_long) line += rest;
      too_long = too_long || line.size() > longest_line_;
      if (too_long) line.clear();
    }
    if ((!line.empty() || too_long) && !finish_line()) return;
    events_.end("");
  } catch (const Error& error) {
    events_.end(error.what());
  }
}

}  // namespace ridgeline::evaluation
