#include "engine/evaluation/line_sink.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {

LineSink::LineSink(int fd, std::size_t memory, std::function<void(std::string)> on_end)
    : fd_(fd), on_end_(std::move(on_end)), waiting_(memory) {
  if (::pipe2(stop_pipe_, O_CLOEXEC) != 0)
    throw MachineCannot(std::string("pipe2: ") + std::strerror(errno) + ": raise `ulimit -n`");
  thread_ = std::thread([this] { write_all(); });
}

LineSink::~LineSink() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  // A closed pipe is readable at the other end, which wakes the poll of a blocked write.
  ::close(stop_pipe_[1]);
  thread_.join();
  ::close(stop_pipe_[0]);
}

void LineSink::put(std::string line) {
  {
    const std::lock_guard lock(mutex_);
    if (!broken_.empty()) return;
    try {
      waiting_.push(std::move(line));
    } catch (const MachineCannot& error) {
      // Not thrown here: `put` runs on the io_context's thread, and the end is reported once, by `on_end`.
      broken_ = error.what();
    }
  }
  changed_.notify_all();
}

void LineSink::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

/// Waits for the next line. Returns false where there is none: the sink is closed or stopped. Throws
/// MachineCannot where the lines that wait cannot be kept.
bool LineSink::wait_for_line(std::string& line) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || closed_ || !broken_.empty() || !waiting_.empty(); });
  if (!broken_.empty()) throw MachineCannot(broken_);
  if (stopped_) return false;
  auto next = waiting_.pop();
  if (next) line = std::move(*next);
  return next.has_value();
}

bool LineSink::write(std::string_view line) {
  while (!line.empty()) {
    // The descriptor may be shared with other processes, so it is not made non-blocking.
    std::array<pollfd, 2> wait{{{fd_, POLLOUT, 0}, {stop_pipe_[0], POLLIN, 0}}};
    if (::poll(wait.data(), wait.size(), -1) < 0 && errno != EINTR)
      throw MachineCannot(std::string("poll: ") + std::strerror(errno));
    if (wait[1].revents != 0) return false;
    if (wait[0].revents == 0) continue;
    // A pipe that is ready takes PIPE_BUF bytes without blocking (POSIX, pipe(7)); more could block, and a
    // stop would wait.
    const ssize_t wrote = ::write(fd_, line.data(), std::min<std::size_t>(line.size(), PIPE_BUF));
    if (wrote >= 0)
      line.remove_prefix(static_cast<std::size_t>(wrote));
    else if (errno != EINTR && errno != EAGAIN)
      throw MachineCannot(std::string("cannot write verdicts: ") + std::strerror(errno));
  }
  return true;
}

void LineSink::write_all() {
  std::string why;
  try {
    for (std::string line; wait_for_line(line);)
      if (!write(line)) return;
  } catch (const Error& error) {
    why = error.what();
  }
  {
    const std::lock_guard lock(mutex_);
    // After a stop nobody waits for the end.
    if (stopped_) return;
    if (!why.empty()) broken_ = why;
  }
  on_end_(std::move(why));
}

}  // namespace ridgeline::evaluation
