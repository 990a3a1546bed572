// Measures the bandwidth that each level of this CPU's memory gives one thread.
#pragma once

#include <cstddef>

#include "engine/core/roofline.hpp"
#include "profiler/cpu_info.hpp"

namespace ridgeline::profiler {

/// Measures a cache with passes over `working_set` bytes that stay in it, `seconds` for each pass function.
/// Bytes a second.
MemoryLevel measure_cache(const CacheLevel& cache, std::size_t working_set, double seconds);

/// Measures main memory with all caches cold, as they are before a timed call; written data may stay in the
/// caches. `rounds` passes of each function. Bytes a second.
MemoryLevel measure_memory(int rounds);

}  // namespace ridgeline::profiler
