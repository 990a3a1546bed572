// What this machine's processor and memory are, as far as measuring needs it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridgeline::profiler {

/// The model name of /proc/cpuinfo; "unknown CPU" where there is none.
std::string cpu_name();

/// Bytes of the last-level cache that one core can fill: from sysconf, else /sys; 32 MiB where neither says.
std::size_t last_level_cache_bytes();

struct CacheLevel {
  std::string name;  ///< "L1", "L2", "L3"
  std::size_t bytes = 0;
};
/// Those that one core reads data through, the nearest first; what neither sysconf nor /sys tells is left
/// out.
std::vector<CacheLevel> cache_levels();

/// The machine's memory, or what the control group grants of it, bytes.
double total_memory();

}  // namespace ridgeline::profiler
