// CPU time of another process, read from outside: what it says of itself does not enter.
#pragma once

#include <sys/types.h>

#include <optional>

namespace ridgeline::profiler {

/// Seconds of user and system time of all threads of `pid`, to the nanosecond where the kernel keeps it so.
/// Empty once the process is gone.
std::optional<double> process_cpu_seconds(pid_t pid);

/// The same of the calling thread.
double thread_cpu_seconds();

/// Monotonic wall time in seconds.
double wall_seconds();

}  // namespace ridgeline::profiler
