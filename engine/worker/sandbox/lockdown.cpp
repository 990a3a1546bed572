#include "engine/worker/sandbox/lockdown.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/worker/sandbox/sealed_pages.hpp"

namespace ridgeline::sandbox {
namespace {

/// Writes the number of the refused call, then ends by the call that every filter answers with an immediate
/// kill.
void on_refused_call(int, siginfo_t* info, void*) {
  std::array<char, 64> line;
  std::size_t length = kRefusedCallNotice.copy(line.data(), line.size());
  std::array<char, 12> digits;
  std::size_t count = 0;
  for (unsigned number = static_cast<unsigned>(info->si_syscall); number || !count; number /= 10)
    digits[count++] = static_cast<char>('0' + number % 10);
  while (count > 0) line[length++] = digits[--count];
  line[length++] = '\n';
  // If even this write is refused, SIGSYS is blocked by now, and the kernel ends the process.
  [[maybe_unused]] const auto written = ::write(2, line.data(), length);
  ::syscall(SYS_reboot, 0, 0, 0, nullptr);
  ::_exit(128 + SIGSYS);
}

/// Ends with a status where this process is the init of a pid namespace and so cannot die of its own
/// SIGABRT.
void on_abort(int) {
  if (::getpid() == 1) ::_exit(128 + SIGABRT);
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  ::sigaction(SIGABRT, &action, nullptr);
  // Returning lets abort() raise it again, now with the default action.
}

seccomp::Program bound(seccomp::Program program) {
  seccomp::bind_pid(program, static_cast<std::uint32_t>(::getpid()));
  return program;
}

void require_laid(int result) {
  if (result != 0) throw MachineCannot(std::string{"loading a seccomp filter: "} + std::strerror(errno));
}

}  // namespace

void prepare_for_lockdown() {
  struct sigaction refused{};
  refused.sa_sigaction = on_refused_call;
  refused.sa_flags = SA_SIGINFO;
  struct sigaction aborted{};
  aborted.sa_handler = on_abort;
  if (::sigaction(SIGSYS, &refused, nullptr) != 0 || ::sigaction(SIGABRT, &aborted, nullptr) != 0)
    throw MachineCannot(std::string{"sigaction: "} + std::strerror(errno));
}

Lockdown::Lockdown(seccomp::Program program) : program_(bound(std::move(program))) {}

void Lockdown::install() {
  require_laid(seccomp::load(program_, /*every_thread=*/true));
}

LibraryLockdowns::LibraryLockdowns(std::span<const int> fds) : running_(seal(bound(seccomp::running(fds)))) {
  loading_ = behind_guard(bound(seccomp::loading(fds)), running_);
}

void LibraryLockdowns::before_load() {
  require_laid(seccomp::load(loading_, /*every_thread=*/true));
}

void LibraryLockdowns::before_first_call() {
  require_laid(seccomp::load(*running_));
}

}  // namespace ridgeline::sandbox
