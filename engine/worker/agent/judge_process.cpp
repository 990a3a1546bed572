#include "engine/worker/agent/judge_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/worker/protocol/environment.hpp"

namespace ridgeline::agent {
namespace {

using Clock = std::chrono::steady_clock;

std::array<FileDescriptor, 2> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw MachineCannot(fmt::format("pipe2: {}: raise `ulimit -n`", std::strerror(errno)));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (auto& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// In the child, after fork: async-signal-safe calls only.
[[noreturn]] void become_judge(char* const* words, char* const* environment, int input, int output,
                               pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  if (::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0)
    ::execve(words[0], words, environment);
  ::_exit(127);
}

}  // namespace

JudgeProcess::JudgeProcess(JudgeCommand command) : command_(std::move(command)) {}

JudgeProcess::~JudgeProcess() {
  to_judge_.reset();
  reap();
}

protocol::Described JudgeProcess::start() {
  reap();
  reader_ = {};
  spawn();
  auto answer = exchange(protocol::Describe{"describe"}, command_.start_limit_seconds);
  if (auto* described = std::get_if<protocol::Described>(&answer)) return std::move(*described);
  if (const auto* failed = std::get_if<protocol::Failed>(&answer))
    throw MachineCannot("the judge: " + failed->message);
  throw protocol::ProtocolError("the judge answered 'describe' with something else");
}

protocol::FromJudge JudgeProcess::ask(const protocol::ToJudge& request) {
  return exchange(request, command_.answer_limit_seconds);
}

void JudgeProcess::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  if (pid_ > 0) ::kill(-pid_, SIGKILL);
}

void JudgeProcess::spawn() {
  if (const auto* problem = std::get_if<std::string>(&command_.torch)) throw MachineCannot(*problem);
  auto [input_read, input_write] = make_pipe();
  auto [output_read, output_write] = make_pipe();
  auto words = command_.words;
  auto environment = with_library_folders(protocol::inherited_environment(protocol::EnvironmentFor::judge),
                                          std::get<LibraryFolders>(command_.torch));
  const auto word_pointers = pointers(words);
  const auto environment_pointers = pointers(environment);
  const pid_t self = ::getpid();

  const std::lock_guard lock(mutex_);
  if (stopped_) throw MachineCannot("the worker is ending");
  if (::access(words[0].c_str(), X_OK) != 0)
    throw MachineCannot(fmt::format("no program '{}': build it (./dev build)", words[0]));
  const pid_t child = ::fork();
  if (child < 0) throw MachineCannot(fmt::format("fork: {}: raise `ulimit -u`", std::strerror(errno)));
  if (child == 0)
    become_judge(word_pointers.data(), environment_pointers.data(), input_read.get(), output_write.get(),
                 self);
  ::setpgid(child, child);  // on both sides, so that it holds whoever runs first
  pid_ = child;
  to_judge_ = std::move(input_write);
  from_judge_ = std::move(output_read);
}

std::string JudgeProcess::reap() {
  const std::lock_guard lock(mutex_);
  to_judge_.reset();
  from_judge_.reset();
  if (pid_ <= 0) return "it was not running";
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return fmt::format("killed by signal {}", WTERMSIG(status));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

protocol::FromJudge JudgeProcess::exchange(const protocol::ToJudge& request, double limit_seconds) {
  try {
    if (!to_judge_) throw MachineCannot("it was not running");
    protocol::write_frame(to_judge_.get(), protocol::encode(request));
    return protocol::decode_from_judge(read_within(limit_seconds));
  } catch (const Error& error) {
    // A judge that ended by itself is given a moment to be seen doing so: its status says more than "killed".
    for (int i = 0; i < 20 && pid_ > 0; ++i) {
      siginfo_t end{};
      if (::waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid != 0)
        break;
      ::poll(nullptr, 0, 5);
    }
    throw MachineCannot(fmt::format("the judge was lost: {} ({})", error.what(), reap()));
  }
}

nlohmann::json JudgeProcess::read_within(double limit_seconds) {
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(limit_seconds));
  std::array<char, 65536> block;
  while (true) {
    if (auto document = reader_.next()) return std::move(*document);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) throw protocol::ProtocolError(fmt::format("no answer within {} s", limit_seconds));
    pollfd ready{from_judge_.get(), POLLIN, 0};
    const int count = ::poll(&ready, 1, static_cast<int>(std::min<long long>(left, 1'000'000)));
    if (count <= 0) continue;
    const ssize_t got = ::read(from_judge_.get(), block.data(), block.size());
    if (got == 0) throw protocol::ProtocolError("it ended");
    if (got > 0) reader_.feed({block.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace ridgeline::agent
