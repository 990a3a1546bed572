// Looks at a running child and its descendants from outside, through /proc of this namespace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace ridgeline::sandbox {

/// User and system time of a process, all its threads, in seconds. Absent when it is gone.
std::optional<double> cpu_time(pid_t pid);

struct TreeSize {
  unsigned processes = 0;
  std::uint64_t resident = 0;  // bytes, summed; pages shared between processes count for each
};

/// The child `leader` with all its descendants; orphans among them are found among this process's own
/// children, since they stay in the leader's process group. Stops counting above `most` processes.
TreeSize measure_tree(pid_t leader, unsigned most);

}  // namespace ridgeline::sandbox
