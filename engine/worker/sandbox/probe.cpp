#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>

#include "engine/core/error.hpp"
#include "engine/worker/sandbox/isolation.hpp"
#include "engine/worker/sandbox/landlock.hpp"
#include "engine/worker/sandbox/launch.hpp"

namespace ridgeline::sandbox {
namespace {

/// Makes a process with these flags. Returns its errno; 0 if it works.
int try_clone(unsigned long flags) {
  // A plain fork-like clone: the child shares nothing and only ends.
  const long pid = ::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) ::_exit(0);
  if (pid < 0) return errno;
  ::waitpid(static_cast<pid_t>(pid), nullptr, 0);
  return 0;
}

std::optional<long> read_number(const char* path) {
  std::ifstream file{path};
  long value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

std::string namespace_fix() {
  if (read_number("/proc/sys/kernel/unprivileged_userns_clone") == 0)
    return "sudo sysctl kernel.unprivileged_userns_clone=1";
  if (read_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
    return "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0";
  if (read_number("/proc/sys/user/max_user_namespaces") == 0)
    return "sudo sysctl user.max_user_namespaces=10000";
  return "if this is a container, start it with `--security-opt seccomp=unconfined "
         "--security-opt apparmor=unconfined --security-opt systempaths=unconfined`";
}

struct NamespaceKind {
  unsigned long flag;
  const char* name;
};
constexpr std::array<NamespaceKind, 5> kKinds = {{{CLONE_NEWPID, "pid namespace"},
                                                  {CLONE_NEWNET, "network namespace"},
                                                  {CLONE_NEWIPC, "ipc namespace"},
                                                  {CLONE_NEWNS, "mount namespace"},
                                                  {CLONE_NEWUTS, "uts namespace"}}};

void probe_namespaces(std::vector<Shortfall>& missing) {
  if (const int error = try_clone(CLONE_NEWUSER)) {
    missing.push_back({"user namespace", std::string{"clone: "} + std::strerror(error), namespace_fix()});
    return;  // the others are then refused too
  }
  for (const auto& kind : kKinds)
    if (const int error = try_clone(CLONE_NEWUSER | kind.flag))
      missing.push_back({kind.name, std::string{"clone: "} + std::strerror(error), namespace_fix()});
}

/// Does all that a real start at this level does, except exec. Returns the failure; empty if it works.
std::optional<std::string> rehearse(Isolation level) try {
  Policy policy;
  policy.isolated(level).system_libraries().with_proc(ProcAccess::write);
  Launch launch{policy, {}, {}};
  int pidfd = -1;
  launch_child(launch.plan(), pidfd);
  if (launch.plan().failure.step == LaunchStep::none) return std::nullopt;
  return launch.failure_text();
} catch (const Error& error) {
  return error.what();
}

}  // namespace

IsolationProbe probe_isolation() {
  IsolationProbe probe;
  probe.landlock_abi = landlock::abi();
  if (probe.landlock_abi == 0)
    probe.standard.push_back({"Landlock", std::strerror(errno),
                              errno == EOPNOTSUPP ? "boot with landlock in the kernel parameter lsm="
                                                  : "a Linux kernel from 5.13 on, with Landlock built in"});
  else if (auto failure = rehearse(Isolation::standard))
    probe.standard.push_back({"seccomp or Landlock", *failure,
                              "a kernel with CONFIG_SECCOMP_FILTER, and no outer filter that refuses it"});
  probe_namespaces(probe.strict);
  if (probe.strict.empty() && probe.standard.empty())
    if (auto failure = rehearse(Isolation::strict))
      probe.strict.push_back({"private view of the file system", *failure, namespace_fix()});
  return probe;
}

}  // namespace ridgeline::sandbox
