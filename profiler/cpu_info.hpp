// Reads what measuring needs to know about this machine's processor and memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridgeline::profiler {

/// Returns the model name in /proc/cpuinfo; "unknown CPU" where there is none.
std::string cpu_name();

/// Returns the bytes of the last-level cache that one core can fill: those of the last of `cache_levels()`,
/// or 32 MiB if fewer than two levels are known.
std::size_t last_level_cache_bytes();

/// One level of data cache, as one core sees it.
struct CacheLevel {
  std::string name;  ///< "L1" to "L4"
  std::size_t bytes = 0;
};
/// Returns the caches that one core reads data through, the nearest first, as /sys reports them, otherwise as
/// sysconf does. Leaves out a level that neither reports, and one that is no larger than the level before it.
std::vector<CacheLevel> cache_levels();

/// Returns the machine's memory in bytes, or the control group's limit if that is less.
double total_memory();

}  // namespace ridgeline::profiler
