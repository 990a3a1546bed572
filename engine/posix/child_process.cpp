#include "engine/posix/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "engine/posix/start_child.hpp"
#include "engine/posix/string_pointers.hpp"

namespace ridgeline::posix {
namespace {

/// The descriptors of a command moved above every number that the child is to have: giving one its number
/// must not close another that waits for its own.
std::vector<FileDescriptor> moved_clear(const std::vector<ChildCommand::Descriptor>& descriptors) {
  int first_free = STDERR_FILENO + 1;
  for (const auto& descriptor : descriptors) first_free = std::max(first_free, descriptor.there + 1);
  std::vector<FileDescriptor> moved;
  for (const auto& descriptor : descriptors) {
    moved.emplace_back(::fcntl(descriptor.here, F_DUPFD_CLOEXEC, first_free));
    if (!moved.back())
      throw MachineCannot(std::string("fcntl: ") + std::strerror(errno) + ": raise `ulimit -n`");
  }
  return moved;
}

/// The command's own descriptors, and /dev/null for the standard streams that it does not name.
std::vector<ChildCommand::Descriptor> with_standard_streams(std::vector<ChildCommand::Descriptor> descriptors,
                                                            int null) {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (std::ranges::find(descriptors, stream, &ChildCommand::Descriptor::there) == descriptors.end())
      descriptors.push_back({null, stream});
  return descriptors;
}

}  // namespace

ChildProcess::ChildProcess(const ChildCommand& command) {
  if (command.words.empty()) throw Error("posix: a command without words");
  const FileDescriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const auto descriptors = with_standard_streams(command.descriptors, null.get());
  const auto moved = moved_clear(descriptors);
  std::vector<std::pair<int, int>> numbers;
  for (std::size_t i = 0; i < moved.size(); ++i) numbers.emplace_back(moved[i].get(), descriptors[i].there);
  auto words = command.words;
  auto environment = command.environment;
  const auto word_pointers = string_pointers(words);
  const auto environment_pointers = string_pointers(environment);

  const auto started = start_child({
      .words = word_pointers.data(),
      .environment = environment_pointers.data(),
      .descriptors = numbers,
      .working_folder = command.working_folder.empty() ? nullptr : command.working_folder.c_str(),
      .death_signal = command.death_signal.value_or(0),
      .parent = ::getpid(),
  });
  if (started.error != 0)
    throw CannotStart("cannot start '" + command.words.front() + "' (" + std::strerror(started.error) + ")" +
                          command.advice,
                      started.error);
  pid_ = started.pid;
  pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  if (!pidfd_) {
    const int failed = errno;
    end();
    throw MachineCannot(std::string("pidfd_open: ") + std::strerror(failed) +
                        ": Linux 5.3 or newer is needed, and `ulimit -n` must allow it");
  }
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  if (*this) end();
  pid_ = std::exchange(other.pid_, -1);
  pidfd_ = std::move(other.pidfd_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (*this) end();
}

bool ChildProcess::ends_within(std::chrono::milliseconds patience) const {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd ended{pidfd_.get(), POLLIN, 0};
    const int count = ::poll(&ended, 1, static_cast<int>(std::clamp<long long>(left.count(), 0, 1'000'000)));
    if (count == 1) return true;
    if (left.count() <= 0 && !(count < 0 && errno == EINTR)) return false;
  }
}

void ChildProcess::kill_group() const {
  // Not reaped yet, so neither the number nor the group's can belong to others.
  if (pid_ > 0) ::kill(-pid_, SIGKILL);
}

ChildExit ChildProcess::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  pidfd_.reset();
  return exit_of_status(status);
}

ChildExit ChildProcess::end() {
  kill_group();
  return wait();
}

}  // namespace ridgeline::posix
