#include "engine/oracle/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::oracle {
namespace {

constexpr int kLink = 3;                 // the socket's number in the child
constexpr std::size_t kTail = 2000;      // bytes of output in a message
constexpr std::size_t kMostFiles = 253;  // what Linux passes with one message

[[noreturn]] void cannot(const char* call) {
  throw MachineCannot(
      fmt::format("{}: {}: fix: raise `ulimit -n`, or free memory", call, std::strerror(errno)));
}

posix::ChildProcess start_interpreter(const std::string& python, const std::vector<std::string>& environment,
                                      int link, int output) {
  auto variables = environment;
  variables.push_back("OMP_WAIT_POLICY=PASSIVE");  // threads that wait leave the cores to others
  return posix::ChildProcess({
      .words = {python, "-c", bootstrap_text(), std::to_string(kLink)},
      .environment = std::move(variables),
      .descriptors = {{output, STDOUT_FILENO}, {output, STDERR_FILENO}, {link, kLink}},
      .advice = ", which runs task files: install Python 3.10 or newer with torch, or let RIDGELINE_PYTHON "
                "name one that has it",
  });
}

}  // namespace

OracleProcess::Child::Child(const std::string& python, const std::vector<std::string>& environment) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) cannot("socketpair");
  link_.reset(ends[0]);
  const FileDescriptor theirs(ends[1]);
  // A memory file and not a pipe, so that a process that prints much never waits for a reader.
  output_.reset(::memfd_create("oracle-output", MFD_CLOEXEC));
  if (!output_) cannot("memfd_create");
  ::fcntl(output_.get(), F_SETFL, O_APPEND);  // shared with the child: it may be cut short between requests
  process_ = start_interpreter(python, environment, theirs.get(), output_.get());
}

OracleProcess::Child::~Child() {
  end(0);
}

bool OracleProcess::Child::send(const std::string& line, std::span<const int> files) {
  if (files.size() > kMostFiles)
    throw Error(fmt::format("{} memory files in one request; Linux passes {}: put several tensors into one",
                            files.size(), kMostFiles));
  const auto text = line + "\n";  // JSON has no line ends of its own
  std::vector<char> control(CMSG_SPACE(sizeof(int) * std::max<std::size_t>(1, files.size())));
  std::size_t sent = 0;
  while (sent < text.size()) {
    iovec piece{const_cast<char*>(text.data()) + sent, text.size() - sent};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    // Descriptors travel with the first byte alone: sent again, the process would own them twice.
    if (sent == 0 && !files.empty()) {
      message.msg_control = control.data();
      message.msg_controllen = CMSG_SPACE(sizeof(int) * files.size());
      auto* header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int) * files.size());
      std::memcpy(CMSG_DATA(header), files.data(), sizeof(int) * files.size());
    }
    const auto count = ::sendmsg(link_.get(), &message, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

OracleProcess::Child::Received OracleProcess::Child::receive(std::string& line, double limit) {
  using Clock = std::chrono::steady_clock;
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
  std::array<char, 1 << 16> buffer;
  for (auto end = rest_.find('\n'); end == std::string::npos; end = rest_.find('\n')) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Received::late;
    // Bounded, since poll takes an int of milliseconds; the loop waits again until the deadline.
    pollfd watched{link_.get(), POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(std::min<long long>(left, 1'000'000))) <= 0) continue;
    const auto count = ::recv(link_.get(), buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Received::closed;
    rest_.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const auto end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.erase(0, end + 1);
  return Received::line;
}

std::string OracleProcess::Child::end(int patience_ms) {
  if (!process_) return "";
  process_.ends_within(std::chrono::milliseconds(patience_ms));
  return posix::describe(process_.end());
}

std::string OracleProcess::Child::output_tail() const {
  const auto size = ::lseek(output_.get(), 0, SEEK_END);
  if (size <= 0) return "";
  const auto wanted = std::min<std::size_t>(kTail, static_cast<std::size_t>(size));
  std::string text(wanted, '\0');
  const auto count = ::pread(output_.get(), text.data(), wanted, size - static_cast<off_t>(wanted));
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  // Tracebacks end with blank lines, which would stand within a sentence.
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

void OracleProcess::Child::forget_output() {
  if (::ftruncate(output_.get(), 0) != 0) return;  // then the tail holds older lines too
}

}  // namespace ridgeline::oracle
