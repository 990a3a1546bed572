#include "engine/worker/sandbox/launch.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "engine/core/error.hpp"
#include "engine/posix/string_pointers.hpp"
#include "engine/worker/sandbox/landlock.hpp"

namespace ridgeline::sandbox {
namespace {

constexpr unsigned long kStrictNamespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWUTS;

/// Returns the filter of a profile. Each is built once a process, since building takes longer than the rest
/// of a launch.
const seccomp::Program& exec_filter(SeccompProfile profile) {
  static const seccomp::Program compiler = seccomp::at_exec(SeccompProfile::compiler);
  static const seccomp::Program runner = seccomp::at_exec(SeccompProfile::runner_loading);
  static const seccomp::Program device = seccomp::at_exec(SeccompProfile::device_runner);
  return profile == SeccompProfile::compiler        ? compiler
         : profile == SeccompProfile::device_runner ? device
                                                    : runner;
}

/// Finds a folder that exists on every machine, to build the view on; its content can still be bound.
const char* find_mount_base() {
  for (const char* folder : {"/tmp", "/run", "/var", "/usr"})
    if (std::filesystem::is_directory(folder)) return folder;
  throw MachineCannot("isolation strict needs one of /tmp, /run, /var, /usr to build its view on");
}

}  // namespace

Launch::Launch(const Policy& policy, const std::vector<std::string>& command, const std::vector<int>& passed)
    : working_folder_(policy.working_folder), passed_(passed), moved_(passed.size()) {
  arguments_ = command;
  for (const auto& [name, value] : policy.environment) environment_.push_back(name + "=" + value);
  argument_pointers_ = posix::string_pointers(arguments_);
  environment_pointers_ = posix::string_pointers(environment_);
  plan_.arguments = argument_pointers_.data();
  // Both lists end with a null pointer, also if the environment is empty.
  plan_.environment = environment_pointers_.data();
  if (!arguments_.empty()) plan_.program = arguments_.front().c_str();

  null_.reset(::open("/dev/null", O_RDWR | O_CLOEXEC));
  parent_.reset(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!null_ || !parent_)
    throw MachineCannot(std::string{"opening /dev/null or a pidfd: "} + std::strerror(errno) +
                        "; fix: a kernel from 5.4 on with /dev mounted");
  plan_.input = plan_.output = plan_.error = null_.get();
  plan_.parent = parent_.get();
  plan_.working_folder = working_folder_.c_str();
  plan_.passed = passed_;
  plan_.moved = moved_;
  plan_.drop_capabilities = policy.level != Isolation::none;
  plan_limits(policy.limits, policy.level == Isolation::strict);
  if (policy.level == Isolation::none) return;

  const int abi = landlock::abi();
  if (abi == 0) throw MachineCannot("Landlock is not available; fix: `isolation: none`, or a newer kernel");
  ruleset_ = landlock::make_ruleset(policy, abi);
  plan_.landlock_ruleset = ruleset_.get();
  if (policy.proc != ProcAccess::none)
    plan_.proc_rights = landlock::rights_for(
        policy.proc == ProcAccess::write ? PathUse::write : PathUse::read, false, true, abi);
  filter_ = exec_filter(policy.profile);
  plan_.seccomp = filter_;
  if (policy.level == Isolation::strict) plan_strict(policy);
}

void Launch::plan_strict(const Policy& policy) {
  plan_.namespaces = kStrictNamespaces;
  const auto identity = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  user_map_ = identity(::geteuid());
  group_map_ = identity(::getegid());
  plan_.user_map = user_map_.c_str();
  plan_.group_map = group_map_.c_str();
  plan_.mount_base = find_mount_base();
  plan_.own_proc = policy.proc != ProcAccess::none;
  view_ = plan_view(policy);
  for (const auto& step : view_)
    raw_view_.push_back(
        {static_cast<int>(step.kind), step.target.c_str(), step.source.c_str(), step.read_only, step.device});
  plan_.view = raw_view_;
}

void Launch::plan_limits(const Limits& limits, bool own_user_namespace) {
  const auto add = [&](int resource, std::optional<std::uint64_t> value) {
    if (value) limits_.push_back({resource, {*value, *value}});
  };
  add(RLIMIT_CORE, 0);
  add(RLIMIT_DATA, limits.data);
  add(RLIMIT_AS, limits.address_space);
  add(RLIMIT_FSIZE, limits.file_size);
  add(RLIMIT_NOFILE, limits.open_files);
  // Outside of its own user namespace, the kernel counts all processes of the user, not those of this
  // sandbox.
  if (own_user_namespace) add(RLIMIT_NPROC, limits.processes);
  // With equal soft and hard limits the kernel sends SIGKILL, which the init of a pid namespace cannot
  // ignore.
  if (limits.cpu_seconds) add(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(*limits.cpu_seconds)));
  plan_.limits = limits_;
}

std::string Launch::failure_text() const {
  const auto& failure = plan_.failure;
  std::string text =
      std::string{"sandbox: "} + to_text(failure.step) + " failed: " + std::strerror(failure.error);
  if (failure.object) text += std::string{" ("} + failure.object + ")";
  return text;
}

}  // namespace ridgeline::sandbox
