// Seccomp filters as finished BPF programs: built with libseccomp where allocation is allowed, loaded
// later with one system call where it is not.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox::seccomp {

using Program = std::vector<sock_filter>;

/// Stands for the process's own pid in a program made before the pid is known.
inline constexpr std::uint32_t kOwnPid = 0x5AFE01D5;

/// The filter present at exec. Holds kOwnPid: bind it with `bind_pid` before loading.
Program at_exec(SeccompProfile profile);

/// For a runner from its start until its candidate is loaded: may open files for reading and map code;
/// no exec, fork, socket, timer, signal or write but to `fds`. Everything else traps.
Program loading(std::span<const int> fds);

/// For a runner while its candidate runs: memory, futexes, and reading and writing `fds`.
Program running(std::span<const int> fds);
Program device();

/// Async-signal-safe: replaces kOwnPid in place.
void bind_pid(std::span<sock_filter> program, std::uint32_t pid) noexcept;
/// Async-signal-safe: sets no_new_privs and adds the filter to this thread, or to every thread of the
/// process; 0, or -1 and errno.
int load(std::span<sock_filter> program, bool every_thread = false) noexcept;

/// The name of a system call of this machine, or its number as text.
std::string syscall_name(int number);

}  // namespace ridgeline::sandbox::seccomp
