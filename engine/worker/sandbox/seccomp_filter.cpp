#include "engine/worker/sandbox/seccomp_filter.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "engine/core/error.hpp"
#include "engine/core/file_descriptor.hpp"

namespace ridgeline::sandbox::seccomp {
namespace {

using Comparison = scmp_arg_cmp;

constexpr std::uint64_t kFutexOperation = 0x7f;  // masks out the flags for private futexes and the clock

Comparison compare(unsigned argument, scmp_compare op, std::uint64_t a, std::uint64_t b = 0) {
  return Comparison{argument, op, a, b};
}

/// Owns a libseccomp context. Calls that this architecture lacks are skipped.
class Builder {
 public:
  explicit Builder(std::uint32_t default_action) : context_(::seccomp_init(default_action)) {
    if (!context_) throw MachineCannot("seccomp_init failed; fix: install libseccomp 2.5 or newer");
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a tree: fewer steps a call
  }

  void rule(std::uint32_t action, const char* call, std::initializer_list<Comparison> when = {}) {
    const int number = ::seccomp_syscall_resolve_name(call);
    if (number == __NR_SCMP_ERROR) return;  // newer than this libseccomp
    const int error = ::seccomp_rule_add_array(context_.get(), action, number,
                                               static_cast<unsigned>(when.size()), when.begin());
    if (error != 0 && error != -EDOM && error != -EACCES)  // EDOM: absent here; EACCES: same as the default
      throw MachineCannot(std::string{"seccomp rule for "} + call + ": " + std::strerror(-error));
  }

  void rules(std::uint32_t action, std::initializer_list<const char*> calls) {
    for (const char* call : calls) rule(action, call);
  }

  Program finish() const {
    FileDescriptor file{::memfd_create("filter", MFD_CLOEXEC)};
    const int error = file ? ::seccomp_export_bpf(context_.get(), file.get()) : -errno;
    const off_t size = error == 0 ? ::lseek(file.get(), 0, SEEK_END) : 0;
    Program program(static_cast<std::size_t>(size) / sizeof(sock_filter));
    if (program.empty() || ::pread(file.get(), program.data(), static_cast<std::size_t>(size), 0) != size)
      throw MachineCannot(std::string{"exporting a seccomp filter: "} + std::strerror(-error));
    return program;
  }

 private:
  struct Release {
    void operator()(void* context) const { ::seccomp_release(context); }
  };
  std::unique_ptr<void, Release> context_;
};

// Calls that reach outside the process or the sandbox, or into parts of the kernel that no candidate needs.
constexpr std::initializer_list<const char*> kForbidden = {"socketpair",
                                                           "connect",
                                                           "ptrace",
                                                           "process_vm_readv",
                                                           "process_vm_writev",
                                                           "process_madvise",
                                                           "process_mrelease",
                                                           "pidfd_open",
                                                           "pidfd_getfd",
                                                           "pidfd_send_signal",
                                                           "kcmp",
                                                           "tkill",
                                                           "rt_sigqueueinfo",
                                                           "rt_tgsigqueueinfo",
                                                           "io_uring_setup",
                                                           "io_uring_enter",
                                                           "io_uring_register",
                                                           "userfaultfd",
                                                           "perf_event_open",
                                                           "bpf",
                                                           "keyctl",
                                                           "add_key",
                                                           "request_key",
                                                           "mount",
                                                           "umount",
                                                           "umount2",
                                                           "mount_setattr",
                                                           "move_mount",
                                                           "open_tree",
                                                           "fsopen",
                                                           "fsconfig",
                                                           "fsmount",
                                                           "fspick",
                                                           "pivot_root",
                                                           "chroot",
                                                           "unshare",
                                                           "setns",
                                                           "init_module",
                                                           "finit_module",
                                                           "delete_module",
                                                           "kexec_load",
                                                           "kexec_file_load",
                                                           "swapon",
                                                           "swapoff",
                                                           "open_by_handle_at",
                                                           "name_to_handle_at",
                                                           "fanotify_init",
                                                           "quotactl",
                                                           "quotactl_fd",
                                                           "acct",
                                                           "iopl",
                                                           "ioperm",
                                                           "modify_ldt",
                                                           "personality",
                                                           "lookup_dcookie",
                                                           "syslog",
                                                           "vhangup",
                                                           "settimeofday",
                                                           "clock_settime",
                                                           "clock_adjtime",
                                                           "adjtimex",
                                                           "sethostname",
                                                           "setdomainname",
                                                           "shmget",
                                                           "shmat",
                                                           "shmctl",
                                                           "msgget",
                                                           "msgsnd",
                                                           "msgrcv",
                                                           "semget",
                                                           "semop",
                                                           "semtimedop",
                                                           "mq_open",
                                                           "move_pages",
                                                           "migrate_pages",
                                                           "setpriority",
                                                           "ioprio_set",
                                                           "sched_setscheduler",
                                                           "sched_setparam",
                                                           "sched_setattr"};

/// CUDA's driver listens on a local socket when it starts, and fails without one. It may not connect to
/// anybody.
enum class Sockets { none, local };

/// Masks the bits of a command that the kernel reads: 32, whatever the upper bits are.
constexpr std::uint64_t kLowWord = 0xffffffff;

void refuse_leaving(Builder& filter, std::uint32_t action, Sockets sockets = Sockets::none) {
  filter.rules(action, kForbidden);
  if (sockets == Sockets::none)
    filter.rules(action, {"socket", "bind", "listen", "accept", "accept4"});
  else  // a socket of any other family could reach the network
    filter.rule(action, "socket", {compare(0, SCMP_CMP_NE, AF_UNIX)});
  // A process cannot leave its group, so killing the group kills every descendant.
  filter.rules(action, {"setsid", "setpgid"});
  for (const char* call : {"kill", "tgkill"}) filter.rule(action, call, {compare(0, SCMP_CMP_NE, kOwnPid)});
  for (const char* call : {"prlimit64", "sched_setaffinity"})  // 0 is the caller itself
    filter.rule(action, call, {compare(0, SCMP_CMP_NE, 0)});
  // A candidate that is stopped while others are measured must not wake itself. A thread that is not stopped
  // yet could, and a stop is complete only once all threads have seen it.
  filter.rule(action, "kill", {compare(1, SCMP_CMP_MASKED_EQ, kLowWord, SIGCONT)});
  filter.rule(action, "tgkill", {compare(2, SCMP_CMP_MASKED_EQ, kLowWord, SIGCONT)});
  // These two choose the signal that they send, so a filter on kill would not see it.
  filter.rules(action, {"timer_create"});
  filter.rule(action, "fcntl", {compare(1, SCMP_CMP_MASKED_EQ, kLowWord, F_SETSIG)});
  for (const std::uint64_t flag :
       {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWCGROUP})
    filter.rule(action, "clone", {compare(0, SCMP_CMP_MASKED_EQ, flag, flag)});
  filter.rule(action, "ioctl", {compare(1, SCMP_CMP_MASKED_EQ, kLowWord, TIOCSTI)});
  // clone3 keeps its flags in memory, where a filter cannot see them; glibc falls back to clone.
  filter.rule(SCMP_ACT_ERRNO(ENOSYS), "clone3");
}

/// Names the call by which a locked-down runner dies: the SIGSYS handler of lockdown.cpp ends with it.
void add_kill_switch(Builder& filter) {
  filter.rule(SCMP_ACT_KILL_PROCESS, "reboot");
}

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
  add_kill_switch(filter);
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

Program at_exec(SeccompProfile profile) {
  Builder filter{SCMP_ACT_ALLOW};
  if (profile != SeccompProfile::runner_loading) {
    const bool device = profile == SeccompProfile::device_runner;
    refuse_leaving(filter, SCMP_ACT_ERRNO(EPERM), device ? Sockets::local : Sockets::none);
  } else {
    refuse_leaving(filter, SCMP_ACT_TRAP);
    add_kill_switch(filter);
  }
  return filter.finish();
}

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
  add_kill_switch(filter);
  return filter.finish();
}

}  // namespace ridgeline::sandbox::seccomp
