// CPU time of another process, and its waiting for a core, read from outside: what it says of itself does not
// enter.
#pragma once

#include <sys/types.h>

#include <optional>

namespace ridgeline::profiler {

/// Seconds of user and system time of all threads of `pid`, to the nanosecond where the kernel keeps it so.
/// Empty once the process is gone.
std::optional<double> process_cpu_seconds(pid_t pid);

/// The same of the calling thread.
double thread_cpu_seconds();

/// Seconds that the first thread of `pid` (0: the calling thread) was ready to run and had no core, so far. 0
/// where the kernel does not count them.
double waited_for_core(pid_t pid);

/// Monotonic wall time in seconds.
double wall_seconds();

}  // namespace ridgeline::profiler
