// The filters that a process lays on itself before it reads what a candidate wrote: what it may call still.
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>

#include "engine/worker/sandbox/seccomp_builder.hpp"
#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::sandbox::seccomp {
namespace {

constexpr std::uint64_t kFutexOperation = 0x7f;  // masks out the flags for private futexes and the clock

/// Allows what computing needs: memory without new code, waking, the time, and ends.
void allow_computing(Builder& filter) {
  filter.rules(
      SCMP_ACT_ALLOW,
      {"munmap",          "mremap",      "brk",        "madvise",      "clock_gettime",     "clock_getres",
       "gettimeofday",    "time",        "getcpu",     "sched_yield",  "sched_getaffinity", "getrandom",
       "sysinfo",         "exit",        "exit_group", "rt_sigreturn", "restart_syscall",   "rseq",
       "set_robust_list", "sigaltstack", "close"});
  // A lock wakes a sleeper that may not exist. Waiting is refused: one thread has nobody to wait for, and a
  // sleep would make a timing window look disturbed.
  filter.rule(SCMP_ACT_ALLOW, "futex", {compare(1, SCMP_CMP_MASKED_EQ, kFutexOperation, FUTEX_WAKE)});
  // abort(): an uncaught exception or a failed assertion must end as SIGABRT, not as a violation.
  filter.rules(SCMP_ACT_ALLOW, {"rt_sigprocmask", "getpid", "gettid"});
  filter.rule(SCMP_ACT_ALLOW, "rt_sigaction", {compare(0, SCMP_CMP_EQ, SIGABRT)});
  filter.rule(SCMP_ACT_ALLOW, "tgkill", {compare(0, SCMP_CMP_EQ, kOwnPid), compare(2, SCMP_CMP_EQ, SIGABRT)});
  // printf asks these about its stream and copes with a refusal.
  filter.rules(SCMP_ACT_ERRNO(EPERM), {"fstat", "newfstatat", "statx", "ioctl", "lseek", "fcntl"});
}

/// Allows reading and writing the descriptors that connect a runner with the judge.
void allow_messages(Builder& filter, std::span<const int> fds) {
  for (const int fd : fds)
    for (const char* call : {"read", "write", "writev", "recvmsg", "sendmsg", "recvfrom", "sendto"})
      filter.rule(SCMP_ACT_ALLOW, call, {compare(0, SCMP_CMP_EQ, static_cast<std::uint64_t>(fd))});
}

/// Allows what a library's constructors and an interpreter's imports need: reading files and mapping code.
void allow_loading(Builder& filter, std::span<const int> fds) {
  filter.rules(SCMP_ACT_ALLOW, {"futex",
                                "mmap",
                                "munmap",
                                "mremap",
                                "mprotect",
                                "madvise",
                                "brk",
                                "clock_gettime",
                                "clock_getres",
                                "gettimeofday",
                                "time",
                                "getcpu",
                                "sched_yield",
                                "sched_getaffinity",
                                "getrandom",
                                "sysinfo",
                                "exit",
                                "exit_group",
                                "rt_sigreturn",
                                "restart_syscall",
                                "rseq",
                                "set_robust_list",
                                "sigaltstack",
                                "close",
                                "rt_sigprocmask",
                                "getpid",
                                "gettid",
                                "getuid",
                                "geteuid",
                                "getgid",
                                "getegid",
                                "pread64",
                                "fstat",
                                "newfstatat",
                                "statx",
                                "stat",
                                "lstat",
                                "access",
                                "faccessat",
                                "faccessat2",
                                "readlink",
                                "readlinkat",
                                "lseek",
                                "getdents64",
                                "getcwd",
                                "uname"});
  filter.rule(SCMP_ACT_ALLOW, "read");
  filter.rule(SCMP_ACT_ALLOW, "rt_sigaction", {compare(0, SCMP_CMP_EQ, SIGABRT)});
  filter.rule(SCMP_ACT_ALLOW, "tgkill", {compare(0, SCMP_CMP_EQ, kOwnPid), compare(2, SCMP_CMP_EQ, SIGABRT)});
  const std::uint64_t writing = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  filter.rule(SCMP_ACT_ALLOW, "openat", {compare(2, SCMP_CMP_MASKED_EQ, writing, 0)});
  filter.rule(SCMP_ACT_ALLOW, "open", {compare(1, SCMP_CMP_MASKED_EQ, writing, 0)});
  filter.rules(SCMP_ACT_ERRNO(EPERM), {"ioctl", "fcntl"});
  for (const int fd : fds)
    for (const char* call : {"write", "writev", "recvmsg", "sendmsg", "recvfrom", "sendto"})
      filter.rule(SCMP_ACT_ALLOW, call, {compare(0, SCMP_CMP_EQ, static_cast<std::uint64_t>(fd))});
  filter.add_kill_switch();
}

/// Refuses what torch and Python try while they import, and go on without. These calls fail and nothing
/// comes of them; a trap would end an honest answer that imports torch's compiler, as custom operators,
/// dispatch modes and torch.use_deterministic_algorithms do at their first use.
void refuse_probes(Builder& filter) {
  filter.rules(SCMP_ACT_ERRNO(EPERM), {"mkdir", "mkdirat"});  // os.makedirs asks before it looks
  // glibc asks a daemon for the user's name before it reads /etc/passwd, and no Python code makes a socket
  // with exactly these arguments. Every other socket traps.
  filter.rule(
      SCMP_ACT_ERRNO(EAFNOSUPPORT), "socket",
      {compare(0, SCMP_CMP_EQ, AF_UNIX), compare(1, SCMP_CMP_EQ, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK),
       compare(2, SCMP_CMP_EQ, 0)});
  // OpenBLAS, NumPy's, places its buffers on the nearest memory where it may.
  filter.rules(SCMP_ACT_ERRNO(EPERM), {"mbind", "get_mempolicy", "set_mempolicy"});
  // The process may know what it used and what its limits are; it changes neither.
  filter.rules(SCMP_ACT_ALLOW, {"getrusage", "times"});
  filter.rule(SCMP_ACT_ALLOW, "prlimit64", {compare(0, SCMP_CMP_EQ, 0), compare(2, SCMP_CMP_EQ, 0)});
}

}  // namespace

Program loading(std::span<const int> fds) {
  Builder filter{SCMP_ACT_TRAP};
  allow_loading(filter, fds);
  // By these two the runner lays its second lockdown after the load; see sealed_pages.hpp.
  filter.rule(SCMP_ACT_ALLOW, "seccomp");
  filter.rule(SCMP_ACT_ALLOW, "prctl", {compare(0, SCMP_CMP_EQ, PR_SET_NO_NEW_PRIVS)});
  return filter.finish();
}

Program interpreter(std::span<const int> fds) {
  Builder filter{SCMP_ACT_TRAP};
  allow_loading(filter, fds);
  refuse_probes(filter);
  return filter.finish();
}

Program reader(std::span<const int> fds) {
  Builder filter{SCMP_ACT_ERRNO(EPERM)};
  allow_loading(filter, fds);
  return filter.finish();
}

Program device() {
  Builder filter{SCMP_ACT_ALLOW};
  const auto refused = SCMP_ACT_ERRNO(EPERM);
  filter.rules(refused,
               {"socket", "bind", "listen", "accept", "accept4", "fork", "vfork", "execve", "execveat"});
  filter.rule(refused, "clone",
              {compare(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)});  // threads may start, processes may not
  // Memory that is writable and executable at once would let a candidate make new code.
  constexpr std::uint64_t writable_code = PROT_WRITE | PROT_EXEC;
  for (const char* call : {"mmap", "mprotect"})
    filter.rule(refused, call, {compare(2, SCMP_CMP_MASKED_EQ, writable_code, writable_code)});
  return filter.finish();
}

Program running(std::span<const int> fds) {
  Builder filter{SCMP_ACT_TRAP};
  allow_computing(filter);
  for (const char* call : {"mmap", "mprotect"})  // no new code
    filter.rule(SCMP_ACT_ALLOW, call, {compare(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)});
  allow_messages(filter, fds);
  filter.add_kill_switch();
  return filter.finish();
}

}  // namespace ridgeline::sandbox::seccomp
