#include "engine/worker/sandbox/seccomp_builder.hpp"

#include <linux/seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "engine/core/error.hpp"
#include "engine/core/file_descriptor.hpp"

namespace ridgeline::sandbox::seccomp {
namespace {

struct NewCall {
  std::string_view name;
  int number;
};

/// Calls in our lists that are newer than a libseccomp which we may meet (2.5.0 of 2020 knows Linux 5.8).
/// From 424 on, a call has one number on every architecture that we run on.
constexpr auto kNewCalls = std::to_array<NewCall>({{"process_madvise", 440},
                                                   {"mount_setattr", 442},
                                                   {"quotactl_fd", 443},
                                                   {"process_mrelease", 448},
                                                   {"open_tree_attr", 467}});

/// Returns the call's number; below 0 if this architecture lacks the call.
int number_of(const char* call) {
  const int number = ::seccomp_syscall_resolve_name(call);
  if (number != __NR_SCMP_ERROR) return number;
  const auto* found = std::ranges::find(kNewCalls, call, &NewCall::name);
  if (found == kNewCalls.end())
    throw MachineCannot(std::string{"libseccomp knows no call "} + call +
                        "; fix: install a newer libseccomp, or add the number to seccomp_builder.cpp");
  return found->number;
}

}  // namespace

Builder::Builder(std::uint32_t default_action) : context_(::seccomp_init(default_action)) {
  if (!context_) throw MachineCannot("seccomp_init failed; fix: install libseccomp 2.5 or newer");
  ::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a tree: fewer steps a call
}

void Builder::rule(std::uint32_t action, const char* call, std::initializer_list<scmp_arg_cmp> when) {
  const int number = number_of(call);
  if (number < 0) return;
  const int error = ::seccomp_rule_add_array(context_.get(), action, number,
                                             static_cast<unsigned>(when.size()), when.begin());
  if (error != 0 && error != -EDOM && error != -EACCES)  // EDOM: absent here; EACCES: same as the default
    throw MachineCannot(std::string{"seccomp rule for "} + call + ": " + std::strerror(-error));
}

void Builder::rules(std::uint32_t action, std::initializer_list<const char*> calls) {
  for (const char* call : calls) rule(action, call);
}

void Builder::add_kill_switch() {
  rule(SCMP_ACT_KILL_PROCESS, "reboot");
}

Program Builder::finish() const {
  FileDescriptor file{::memfd_create("filter", MFD_CLOEXEC)};
  const int error = file ? ::seccomp_export_bpf(context_.get(), file.get()) : -errno;
  const off_t size = error == 0 ? ::lseek(file.get(), 0, SEEK_END) : 0;
  Program program(static_cast<std::size_t>(size) / sizeof(sock_filter));
  if (program.empty() || ::pread(file.get(), program.data(), static_cast<std::size_t>(size), 0) != size)
    throw MachineCannot(std::string{"exporting a seccomp filter: "} + std::strerror(-error));
  return program;
}

}  // namespace ridgeline::sandbox::seccomp
