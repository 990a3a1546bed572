#include "engine/worker/sandbox/confined_child.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <new>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "engine/worker/sandbox/landlock.hpp"
#include "engine/worker/sandbox/seccomp_filter.hpp"
#include "engine/worker/sandbox/view.hpp"

namespace ridgeline::sandbox {
namespace {

/// Records the failure and errno. Returns false, so that a caller can return its result.
bool fail(ChildPlan& plan, LaunchStep step, const char* object = nullptr) noexcept {
  plan.failure = {step, errno, object};
  return false;
}

bool write_file(const char* path, const char* text) noexcept {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const auto length = static_cast<ssize_t>(::strlen(text));
  const bool written = ::write(fd, text, static_cast<size_t>(length)) == length;
  ::close(fd);
  return written;
}

/// Undoes the parent's handlers and ignored signals; exec would keep signals ignored, SIGPIPE for one.
void default_signals() noexcept {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
}

/// Makes the child die with the parent, also if the parent died before this line.
bool follow_parent(ChildPlan& plan) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd gone{plan.parent, POLLIN, 0};
  return ::poll(&gone, 1, 0) == 0 || fail(plan, LaunchStep::parent_gone);
}

/// Puts descriptors at 0, 1, 2 and then the passed ones; everything else closes at exec. Sources first move
/// above all targets, so that no target overwrites a source.
bool place_descriptors(ChildPlan& plan) noexcept {
  const int first_free = 3 + static_cast<int>(plan.passed.size());
  const auto move = [&](int& fd) {
    if (fd < 0) return true;
    const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, first_free);
    if (moved < 0) return false;
    fd = moved;
    return true;
  };
  for (std::size_t i = 0; i < plan.passed.size(); ++i) {
    plan.moved[i] = plan.passed[i];
    if (!move(plan.moved[i])) return fail(plan, LaunchStep::descriptors);
  }
  for (int* fd : {&plan.input, &plan.output, &plan.error, &plan.landlock_ruleset})
    if (!move(*fd)) return fail(plan, LaunchStep::descriptors);
  const bool standard =
      ::dup2(plan.input, 0) == 0 && ::dup2(plan.output, 1) == 1 && ::dup2(plan.error, 2) == 2;
  if (!standard) return fail(plan, LaunchStep::descriptors);
  for (std::size_t i = 0; i < plan.passed.size(); ++i)
    if (::dup2(plan.moved[i], 3 + static_cast<int>(i)) < 0) return fail(plan, LaunchStep::descriptors);
  if (::close_range(static_cast<unsigned>(first_free), UINT_MAX, CLOSE_RANGE_CLOEXEC) != 0)
    return fail(plan, LaunchStep::descriptors);
  return true;
}

bool map_identity(ChildPlan& plan) noexcept {
  // An unprivileged process may write gid_map only after it has given up setgroups.
  if (!write_file("/proc/self/setgroups", "deny")) return fail(plan, LaunchStep::set_groups);
  if (!write_file("/proc/self/uid_map", plan.user_map)) return fail(plan, LaunchStep::user_map);
  if (!write_file("/proc/self/gid_map", plan.group_map)) return fail(plan, LaunchStep::group_map);
  return true;
}

bool bind(ChildPlan& plan, const RawViewStep& step) noexcept {
  if (::mount(step.source, step.target, nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return fail(plan, LaunchStep::bind, step.target);
  struct mount_attr attributes{};
  // A bind mount ignores flags given to mount(2), so they are set in a second call.
  attributes.attr_set =
      MOUNT_ATTR_NOSUID | (step.read_only ? MOUNT_ATTR_RDONLY : 0u) | (step.device ? 0u : MOUNT_ATTR_NODEV);
  if (::mount_setattr(AT_FDCWD, step.target, AT_RECURSIVE, &attributes, sizeof attributes) != 0)
    return fail(plan, LaunchStep::bind_flags, step.target);
  return true;
}

bool perform(ChildPlan& plan, const RawViewStep& step) noexcept {
  switch (static_cast<ViewStep::Kind>(step.kind)) {
    case ViewStep::Kind::folder:
      return ::mkdir(step.target, 0755) == 0 || errno == EEXIST ||
             fail(plan, LaunchStep::make_folder, step.target);
    case ViewStep::Kind::empty_file: {
      const int fd = ::open(step.target, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
      if (fd < 0) return fail(plan, LaunchStep::make_file, step.target);
      ::close(fd);
      return true;
    }
    case ViewStep::Kind::symlink:
      return ::symlink(step.source, step.target) == 0 || fail(plan, LaunchStep::make_symlink, step.target);
    case ViewStep::Kind::bind:
      return bind(plan, step);
  }
  return true;
}

bool mount_proc(ChildPlan& plan) noexcept {
  if (::mkdir("/proc", 0755) != 0 && errno != EEXIST) return fail(plan, LaunchStep::make_folder, "/proc");
  return ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0 ||
         fail(plan, LaunchStep::mount_proc, "/proc");
}

bool build_view(ChildPlan& plan) noexcept {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return fail(plan, LaunchStep::private_mounts);
  if (::mount("tmpfs", plan.mount_base, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=1024,mode=755") !=
      0)
    return fail(plan, LaunchStep::root_tmpfs, plan.mount_base);
  // Pivoting first moves the tmpfs away from its base, so paths below the base can be bound too.
  const char* const old_name = kOldRoot + 1;
  if (::chdir(plan.mount_base) != 0 || ::mkdir(old_name, 0700) != 0 ||
      ::syscall(SYS_pivot_root, ".", old_name) != 0 || ::chdir("/") != 0)
    return fail(plan, LaunchStep::pivot_root, plan.mount_base);
  for (const auto& step : plan.view)
    if (!perform(plan, step)) return false;
  if (plan.own_proc && !mount_proc(plan)) return false;
  if (::umount2(kOldRoot, MNT_DETACH) != 0 || ::rmdir(kOldRoot) != 0)
    return fail(plan, LaunchStep::detach_root);
  if (::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0)
    return fail(plan, LaunchStep::read_only_root);
  return true;
}

bool drop_capabilities(ChildPlan& plan) noexcept {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct nothing[2]{};
  // With no_new_privs, exec by uid 0 cannot regain them.
  return ::syscall(SYS_capset, &header, nothing) == 0 || fail(plan, LaunchStep::drop_capabilities);
}

bool confine_files(ChildPlan& plan) noexcept {
  if (plan.landlock_ruleset < 0) return true;
  if (plan.proc_rights != 0) {  // only the child can name its own entries
    const char* const own = plan.own_proc ? "/proc" : "/proc/self";
    const int folder = ::open(own, O_PATH | O_CLOEXEC);
    if (folder < 0 || landlock::add_folder(plan.landlock_ruleset, folder, plan.proc_rights) != 0)
      return fail(plan, LaunchStep::landlock_proc, own);
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || landlock::restrict_self(plan.landlock_ruleset) != 0)
    return fail(plan, LaunchStep::landlock);
  return true;
}

bool confine(ChildPlan& plan) noexcept {
  default_signals();
  ::umask(077);
  ::setpgid(0, 0);
  if (!follow_parent(plan) || !place_descriptors(plan)) return false;
  if (plan.namespaces != 0 && (!map_identity(plan) || !build_view(plan))) return false;
  if (::chdir(plan.working_folder) != 0) return fail(plan, LaunchStep::working_folder, plan.working_folder);
  if (plan.drop_capabilities && !drop_capabilities(plan)) return false;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail(plan, LaunchStep::drop_capabilities);
  if (!confine_files(plan)) return false;
  // Last: the parent's descriptors may already lie above the limit on open files.
  for (const auto& limit : plan.limits)
    if (::setrlimit(static_cast<__rlimit_resource>(limit.resource), &limit.value) != 0)
      return fail(plan, LaunchStep::limits);
  if (plan.seccomp.empty()) return true;
  seccomp::bind_pid(plan.seccomp, static_cast<std::uint32_t>(::syscall(SYS_getpid)));
  return seccomp::load(plan.seccomp) == 0 || fail(plan, LaunchStep::seccomp);
}

struct Start {
  ChildPlan* plan;
  LaunchFailure* report;  // in shared memory, for ThreadSanitizer builds that do not share everything
};

int child_main(void* argument) {
  const auto& start = *static_cast<Start*>(argument);
  auto& plan = *start.plan;
  if (confine(plan)) {
    if (!plan.program) ::_exit(0);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve(plan.program, plan.arguments, plan.environment);
    fail(plan, LaunchStep::exec, plan.program);
  }
  *start.report = plan.failure;
  ::_exit(127);
}

}  // namespace

const char* to_text(LaunchStep step) {
  switch (step) {
    case LaunchStep::none:
      return "nothing";
    case LaunchStep::clone:
      return "clone into new namespaces";
    case LaunchStep::parent_gone:
      return "finding the parent alive";
    case LaunchStep::descriptors:
      return "placing descriptors";
    case LaunchStep::set_groups:
      return "writing /proc/self/setgroups";
    case LaunchStep::user_map:
      return "writing /proc/self/uid_map";
    case LaunchStep::group_map:
      return "writing /proc/self/gid_map";
    case LaunchStep::private_mounts:
      return "making mounts private";
    case LaunchStep::root_tmpfs:
      return "mounting a tmpfs";
    case LaunchStep::pivot_root:
      return "pivot_root";
    case LaunchStep::make_folder:
      return "making a folder in the view";
    case LaunchStep::make_file:
      return "making a file in the view";
    case LaunchStep::make_symlink:
      return "making a symbolic link in the view";
    case LaunchStep::bind:
      return "binding a path into the view";
    case LaunchStep::bind_flags:
      return "making a bound path read-only";
    case LaunchStep::mount_proc:
      return "mounting /proc";
    case LaunchStep::detach_root:
      return "detaching the old root";
    case LaunchStep::read_only_root:
      return "making the view read-only";
    case LaunchStep::working_folder:
      return "entering the working folder";
    case LaunchStep::limits:
      return "setting limits";
    case LaunchStep::drop_capabilities:
      return "dropping capabilities";
    case LaunchStep::landlock_proc:
      return "admitting /proc to Landlock";
    case LaunchStep::landlock:
      return "landlock_restrict_self";
    case LaunchStep::seccomp:
      return "loading the seccomp filter";
    case LaunchStep::exec:
      return "exec";
  }
  return "?";
}

pid_t launch_child(ChildPlan& plan, int& pidfd) {
  constexpr std::size_t kStackBytes = 128 * 1024;
  void* const stack =
      ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) {
    fail(plan, LaunchStep::clone);
    return -1;
  }
#ifdef __SANITIZE_ADDRESS__
  // A child leaves by exec and never unwinds, so the marks of its frames stay behind on these addresses.
  __asan_unpoison_memory_region(stack, kStackBytes);
#endif
#ifdef __SANITIZE_THREAD__
  constexpr unsigned long kBorrowMemory = 0;  // its clone() resets, in the child, what it knows of threads
#else
  constexpr unsigned long kBorrowMemory = CLONE_VM;
#endif
  // The stack grows down from the other end; its lowest bytes carry the report.
  Start start{&plan, new (stack) LaunchFailure{}};
  // No signal handler of the parent may run in the child, which shares its memory.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const unsigned long flags = kBorrowMemory | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | plan.namespaces;
  const pid_t pid =
      ::clone(child_main, static_cast<char*>(stack) + kStackBytes, static_cast<int>(flags), &start, &pidfd);
  if (pid < 0)
    fail(plan, LaunchStep::clone);
  else
    plan.failure = *start.report;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::munmap(stack, kStackBytes);
  const bool rehearsed = pid > 0 && !plan.program;
  if (pid > 0 && (plan.failure.step != LaunchStep::none || rehearsed)) {
    ::close(pidfd);
    pidfd = -1;
    ::waitpid(pid, nullptr, 0);
  }
  return pid;
}

}  // namespace ridgeline::sandbox
