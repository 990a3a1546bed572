// What this machine's processor and memory are, as far as measuring needs it.
#pragma once

#include <cstddef>
#include <string>

namespace ridgeline::profiler {

/// The model name of /proc/cpuinfo; "unknown CPU" where there is none.
std::string cpu_name();

/// Bytes of the last-level cache that one core can fill: from sysconf, else /sys; 32 MiB where neither says.
std::size_t last_level_cache_bytes();

/// The machine's memory, or what the control group grants of it, bytes.
double total_memory();

}  // namespace ridgeline::profiler
