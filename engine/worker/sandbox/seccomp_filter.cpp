// The filters in force at exec: what no confined process may call.
#include "engine/worker/sandbox/seccomp_filter.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>

#include "engine/worker/sandbox/seccomp_builder.hpp"

namespace ridgeline::sandbox::seccomp {
namespace {

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
                                                           "open_tree_attr",
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

}  // namespace

Program at_exec(SeccompProfile profile) {
  Builder filter{SCMP_ACT_ALLOW};
  if (profile != SeccompProfile::runner_loading) {
    const bool device = profile == SeccompProfile::device_runner;
    refuse_leaving(filter, SCMP_ACT_ERRNO(EPERM), device ? Sockets::local : Sockets::none);
  } else {
    refuse_leaving(filter, SCMP_ACT_TRAP);
    filter.add_kill_switch();
  }
  return filter.finish();
}

}  // namespace ridgeline::sandbox::seccomp
