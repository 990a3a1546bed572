// Measures a running child and its descendants from outside, through /proc of this namespace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace ridgeline::sandbox {

/// Returns the user and system seconds of all threads of a process; empty once it is gone.
std::optional<double> cpu_time(pid_t pid);

/// Returns how many seccomp filters the first thread of a process carries; empty once it is gone, and on
/// kernels before 5.9, which don't say.
std::optional<unsigned> seccomp_filters(pid_t pid);

/// Returns the bytes that count towards a process's limit on data (RLIMIT_DATA); 0 once it is gone.
std::uint64_t data_bytes(pid_t pid);

/// Returns whether this kernel lists the children of processes (CONFIG_PROC_CHILDREN). Where it does not,
/// measure_tree sees the leader alone. Reads once.
bool sees_children();

/// The size of a tree of processes.
struct TreeSize {
  unsigned processes = 0;
  std::uint64_t resident = 0;  // bytes; a page shared between processes counts once for each
  double cpu_seconds = 0;      // of those that live
};

/// Measures `leader` with all its descendants. Orphans are found among this process's own children, since
/// they stay in the leader's process group. Stops counting above `most` processes.
TreeSize measure_tree(pid_t leader, unsigned most);

}  // namespace ridgeline::sandbox
