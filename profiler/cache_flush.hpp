// Flushes memory from every cache of the machine, by address: lines leave the caches of all cores, whoever
// maps them and at whatever virtual address.
#pragma once

#include <cstddef>

namespace ridgeline::profiler {

/// Flushes the lines that hold [begin, begin + bytes), and waits until they are written back. Where user
/// programs have no such instruction, it reads memory of several cache sizes instead; the first such call
/// allocates that.
void flush_from_caches(const void* begin, std::size_t bytes);

}  // namespace ridgeline::profiler
