// Runs long loops over elements on as many threads as torch may use: one where candidates are timed on the
// CPU, all cores where they are timed on a GPU.
#pragma once

#include <cstdint>
#include <functional>

namespace ridgeline::verifier {

/// Every range begins at a multiple of this, whatever the number of threads. Sums formed range by range, and
/// added in the order of ranges, have the same bits on every machine.
inline constexpr std::int64_t range_length = std::int64_t{1} << 16;

/// The number of ranges that `count` elements make.
inline std::int64_t ranges_in(std::int64_t count) {
  return (count + range_length - 1) / range_length;
}

/// Calls `work(begin, end)` for every range of [0, count), on several threads at once; each call may write
/// only its own range. Returns when all are done, and rethrows the first exception that a call threw.
void in_ranges(std::int64_t count, const std::function<void(std::int64_t begin, std::int64_t end)>& work);

/// Returns the sum of what `part(begin, end)` returns for every range, added in the order of ranges.
double sum_in_ranges(std::int64_t count,
                     const std::function<double(std::int64_t begin, std::int64_t end)>& part);

/// Calls `work(i)` for every i in [0, count) in the same way: for pieces that are long each.
void in_parallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

}  // namespace ridgeline::verifier
