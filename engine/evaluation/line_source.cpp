#include "engine/evaluation/line_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {
namespace {

/// The start of a spooled record, before the line's text.
struct Head {
  std::uint64_t number = 0;
  std::uint64_t too_long = 0;
};

}  // namespace

LineSource::LineSource(int fd, std::size_t longest_line, std::size_t memory, std::function<void()> on_change)
    : fd_(fd), longest_line_(longest_line), on_change_(std::move(on_change)), waiting_(memory) {
  if (::pipe2(stop_pipe_, O_CLOEXEC) != 0)
    throw MachineCannot(std::string("pipe2: ") + std::strerror(errno) + ": raise `ulimit -n`");
  thread_ = std::thread([this] { read_all(); });
}

LineSource::~LineSource() {
  // A closed pipe is readable at the other end, which wakes a poll that waits for input.
  ::close(stop_pipe_[1]);
  thread_.join();
  ::close(stop_pipe_[0]);
}

std::optional<LineSource::Line> LineSource::next() {
  const std::lock_guard lock(mutex_);
  auto record = waiting_.pop();
  notified_ = record.has_value();  // a consumer that got a line asks again without being called
  if (!record) return std::nullopt;
  Head head;
  std::memcpy(&head, record->data(), sizeof head);
  return Line{head.number, head.too_long != 0, record->substr(sizeof head)};
}

bool LineSource::ended() const {
  const std::lock_guard lock(mutex_);
  return read_to_end_ && waiting_.empty();
}

std::string LineSource::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
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

void LineSource::spool_line(std::size_t number, bool too_long, std::string_view text) {
  // Blank lines separate batches in hand-written files; the line numbers still count them.
  if (!too_long && text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  const Head head{number, too_long ? 1U : 0U};
  std::string record(reinterpret_cast<const char*>(&head), sizeof head);
  if (!too_long) record += text;
  bool notify = false;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push(std::move(record));
    // One call until the consumer has found nothing: a million lines must not post a million handlers.
    notify = !std::exchange(notified_, true);
  }
  if (notify) on_change_();
}

void LineSource::read_all() {
  std::array<char, 65536> block;
  std::string line;
  std::size_t number = 1;
  bool too_long = false;
  const auto add = [&](std::string_view part) {
    if (!too_long) line += part;
    too_long = too_long || line.size() > longest_line_;
    // The rest of a line over the limit is skipped, so a single line cannot fill memory.
    if (too_long) line.clear();
  };
  std::string error;
  try {
    while (const std::size_t got = read_block(block.data(), block.size())) {
      std::string_view rest(block.data(), got);
      for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
        add(rest.substr(0, end));
        spool_line(number++, std::exchange(too_long, false), line);
        line.clear();
      }
      add(rest);
    }
    // The last line may lack its line end.
    if (!line.empty() || too_long) spool_line(number, too_long, line);
  } catch (const Error& failure) {
    error = failure.what();
  }
  {
    const std::lock_guard lock(mutex_);
    read_to_end_ = true;
    error_ = std::move(error);
  }
  on_change_();
}

}  // namespace ridgeline::evaluation
