// Loads filters into the kernel, and names what they refuse.
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::sandbox::seccomp {

void bind_pid(std::span<sock_filter> program, std::uint32_t pid) noexcept {
  for (auto& instruction : program)
    if (instruction.k == kOwnPid) instruction.k = pid;
}

int load(const sock_fprog& program) noexcept {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  const long done = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (done > 0) errno = EBUSY;  // a thread whose filters are not ours
  return done == 0 ? 0 : -1;
}

int load(std::span<sock_filter> program, bool every_thread) noexcept {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  const unsigned flags = every_thread ? SECCOMP_FILTER_FLAG_TSYNC : 0u;
  const long done = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
  if (done > 0) errno = EBUSY;  // a thread whose filters are not ours
  return done == 0 ? 0 : -1;
}

std::string syscall_name(int number) {
  char* name = ::seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
  if (!name) return std::to_string(number);
  std::string text{name};
  std::free(name);
  return text;
}

}  // namespace ridgeline::sandbox::seccomp
