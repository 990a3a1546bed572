// What each level of this CPU's memory gives one thread.
#pragma once

#include <cstddef>

#include "engine/core/roofline.hpp"
#include "profiler/cpu_info.hpp"

namespace ridgeline::profiler {

/// Of data that lies in the cache: passes over `working_set` bytes, each way of going through them for
/// `seconds`.
MemoryLevel measure_cache(const CacheLevel& cache, std::size_t working_set, double seconds);

/// Of the main memory, all caches being cold, as they are before a timed call: what is written may stay in
/// the caches. `rounds` of each way.
MemoryLevel measure_memory(int rounds);

}  // namespace ridgeline::profiler
