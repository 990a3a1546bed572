// Reads the CPU time of another process, and its time waiting for a core, from outside: the process cannot
// falsify them.
#pragma once

#include <sys/types.h>

#include <optional>

namespace ridgeline::profiler {

/// Returns the user and system seconds of all threads of `pid`, in nanoseconds where the kernel counts them
/// so. Empty once the process is gone.
std::optional<double> process_cpu_seconds(pid_t pid);

/// Returns the CPU seconds of the calling thread.
double thread_cpu_seconds();

/// Returns the seconds for which the first thread of `pid` (0: the calling thread) was ready to run and had
/// no core, so far. 0 where the kernel does not count them.
double waited_for_core(pid_t pid);

/// Returns monotonic wall time in seconds.
double wall_seconds();

}  // namespace ridgeline::profiler
