// Puts memory out of every cache of the machine, by address: the lines leave the caches of all cores, whoever
// maps them and at whatever virtual address.
#pragma once

#include <cstddef>

namespace ridgeline::profiler {

/// Flushes the lines that hold [begin, begin + bytes), and waits until they are written back. Where the
/// machine has no such instruction for user programs, memory of several cache sizes is read instead; the
/// first such call allocates it.
void flush_from_caches(const void* begin, std::size_t bytes);

}  // namespace ridgeline::profiler
