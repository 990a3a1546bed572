// Builds seccomp filters as finished BPF programs with libseccomp, where allocation is allowed, and loads
// them later with one system call, where it is not.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox::seccomp {

/// A filter, ready to be loaded.
using Program = std::vector<sock_filter>;

/// Stands for the process's own pid in a program that is built before the pid is known.
inline constexpr std::uint32_t kOwnPid = 0x5AFE01D5;

/// Builds the filter that is in force at exec. It contains kOwnPid: call `bind_pid` before loading it.
Program at_exec(SeccompProfile profile);

/// Builds the filter for a runner from its start until its candidate is loaded. It may open files for
/// reading and map code; no exec, fork, socket, timer or signal, and no write except to `fds`. Other calls
/// trap. It goes behind the guard of sealed_pages.hpp.
Program loading(std::span<const int> fds);

/// Builds the filter for an interpreter from before its candidate is loaded until its end
/// (Lockdown::interpreter).
Program interpreter(std::span<const int> fds);

/// Builds the filter for a part of a compiler that reads a candidate's source and writes to `fds`. Other
/// calls fail with EPERM, which compilers cope with.
Program reader(std::span<const int> fds);

/// Builds the filter for a runner whose candidate runs: memory, futexes, and reading and writing `fds`.
Program running(std::span<const int> fds);
/// Builds the filter for a runner that holds a GPU (Lockdown::device).
Program device();

/// Replaces kOwnPid in place by `pid`. Async-signal-safe.
void bind_pid(std::span<sock_filter> program, std::uint32_t pid) noexcept;
/// Sets no_new_privs, and adds the filter to this thread or to every thread of the process. Returns 0, or -1
/// and sets errno. Async-signal-safe.
int load(std::span<sock_filter> program, bool every_thread = false) noexcept;
/// Adds the filter to every thread, reading the program where it lies.
int load(const sock_fprog& program) noexcept;

/// Returns the name of a system call of this machine, or its number as text.
std::string syscall_name(int number);

}  // namespace ridgeline::sandbox::seccomp
