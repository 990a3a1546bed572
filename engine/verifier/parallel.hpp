// Long loops over elements, on as many threads as torch may use: one where the CPU's candidates are timed,
// all where a GPU's are.
#pragma once

#include <cstdint>
#include <functional>

namespace ridgeline::verifier {

/// Ranges begin at multiples of it, whatever the number of threads: what is summed up a range at a time, in
/// the order of ranges, has the same bits on every machine.
inline constexpr std::int64_t range_length = std::int64_t{1} << 16;

inline std::int64_t ranges_in(std::int64_t count) {
  return (count + range_length - 1) / range_length;
}

/// Calls `work(begin, end)` for every range of [0, count). Ranges may run at once: each writes only what is
/// its own. Rethrows what a call throws first.
void in_ranges(std::int64_t count, const std::function<void(std::int64_t begin, std::int64_t end)>& work);

/// The same for single pieces of work, each long.
void in_parallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

}  // namespace ridgeline::verifier
