#include "engine/worker/languages/torch_extension/front_ends/held_process.hpp"

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
#include <cstring>
#include <span>

#include "engine/core/error.hpp"
#include "engine/posix/pipe.hpp"
#include "engine/worker/sandbox/landlock.hpp"
#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::front_ends {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kStopLookMs = 100;
constexpr int kLongestAnswerMs = 70'000;                  // beyond a child's own 60 s
constexpr std::size_t kMostRead = std::size_t{64} << 20;  // bytes of one output

FileDescriptor file_in_memory(std::string_view content) {
  FileDescriptor file{::memfd_create("front-end", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
  while (file && !content.empty()) {
    const auto part = ::write(file.get(), content.data(), content.size());
    if (part <= 0) break;
    content.remove_prefix(static_cast<std::size_t>(part));
  }
  if (!file || !content.empty() || ::lseek(file.get(), 0, SEEK_SET) != 0)
    throw MachineCannot(std::string("a file in memory for a source: ") + std::strerror(errno));
  return file;
}

/// What two may read, none may change.
FileDescriptor sealed_file(std::string_view content) {
  auto file = file_in_memory(content);
  ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  return file;
}

std::string content_of(int file) {
  const auto size = ::lseek(file, 0, SEEK_END);
  std::string text(std::min(static_cast<std::size_t>(std::max<off_t>(size, 0)), kMostRead), '\0');
  const auto got = text.empty() ? 0 : ::pread(file, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

bool send_files(int socket, std::span<const int> files) {
  char word = 's';
  iovec data{&word, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(4 * sizeof(int))> room{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.data();
  message.msg_controllen = room.size();
  auto* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(files.size_bytes());
  std::memcpy(CMSG_DATA(header), files.data(), files.size_bytes());
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

/// What each child lays on itself, made here, where allocating is allowed.
struct Confinement {
  FileDescriptor filter, rules;
};

Confinement confinement_of(const HeldPlan& plan) {
  Confinement made;
  if (plan.policy.level == sandbox::Isolation::none) {
    made.filter.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    made.rules.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return made;
  }
  const auto program = sandbox::seccomp::reader(std::array{1, 2});
  made.filter =
      sealed_file({reinterpret_cast<const char*>(program.data()), program.size() * sizeof(program[0])});
  sandbox::Policy reading;
  for (const auto& path : plan.readable) reading.add({.path = path, .optional = true});
  made.rules = sandbox::landlock::make_ruleset(reading, sandbox::landlock::abi());
  return made;
}

std::pair<FileDescriptor, FileDescriptor> socket_ends() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw MachineCannot(std::string("socketpair: ") + std::strerror(errno));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

sandbox::Child start(const HeldPlan& plan, FileDescriptor& control) {
  auto [ours, theirs] = socket_ends();
  const auto confinement = confinement_of(plan);
  auto policy = plan.policy;
  policy.read(plan.library.string()).env("LD_PRELOAD", plan.library.string());
  policy.env("RIDGELINE_CONFINE", policy.level == sandbox::Isolation::none ? "0" : "1");
  for (const auto& [name, value] : plan.variables) policy.env(name, value);
  control = std::move(ours);
  return sandbox::spawn(policy, plan.words,
                        {theirs.get(), confinement.filter.get(), confinement.rules.get()});
}

Said unknown(std::string why) {
  return {Said::End::unknown, {}, {}, std::move(why)};
}

}  // namespace

HeldProcess::HeldProcess(const HeldPlan& plan) : stop_(*plan.stop), child_(start(plan, control_)) {}

std::string HeldProcess::await(double limit) {
  const auto deadline = steady_clock::now() + std::chrono::duration<double>(limit);
  for (pollfd ready{control_.get(), POLLIN, 0}; steady_clock::now() < deadline && !stop_;) {
    if (const auto exit = child_.step(milliseconds(20)))
      return sandbox::describe(*exit) + ": " + exit->err.substr(0, 500);
    char word = 0;
    if (::poll(&ready, 1, 0) > 0 && ::recv(control_.get(), &word, 1, 0) == 1 && word == 'r') return {};
  }
  return fmt::format("it had not read its headers within {:.0f} s", limit);
}

bool HeldProcess::look() {
  return !child_.step(milliseconds(0));
}

Said HeldProcess::ask(const std::string& text) {
  const auto source = sealed_file(text);
  const auto output = file_in_memory({}), messages = file_in_memory({});
  auto status = posix::make_pipe();
  {
    const std::lock_guard lock(sending_);
    const std::array files{source.get(), output.get(), messages.get(), status.write.get()};
    if (!send_files(control_.get(), files)) return unknown("the front end has ended");
  }
  status.write.reset();
  pollfd ready{status.read.get(), POLLIN, 0};
  std::array<int, 2> ended{};
  for (int waited = 0; ::poll(&ready, 1, kStopLookMs) <= 0; waited += kStopLookMs)
    if (stop_ || waited > kLongestAnswerMs) return unknown("it did not end");
  if (::read(status.read.get(), ended.data(), sizeof ended) != sizeof ended)
    return unknown("the front end has ended");
  if (ended[0] == 0) return unknown(fmt::format("ended by signal {}", ended[1]));
  return {ended[1] == 0 ? Said::End::passed : Said::End::failed, content_of(output.get()),
          content_of(messages.get())};
}

}  // namespace ridgeline::front_ends
