// Lays out the shared memory in which the judge says what to count and the runner writes the results:
// one memory file for each set of metrics, made by the judge.
//
// Until the candidate is loaded, only judge and runner write to it. From then on its contents are a claim of
// the candidate's process and may change while they are read: copy first, then check the copy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridgeline::runner {

inline constexpr std::size_t kMaxSets = 6;
inline constexpr std::size_t kMaxMetrics = 64;
inline constexpr std::size_t kMaxMetricName = 96;                  ///< bytes, with the zero at the end
inline constexpr std::size_t kMaxConfig = std::size_t{256} << 10;  ///< bytes
inline constexpr std::size_t kMaxRanges = 128;  ///< rows of a report: calls counted as a whole, and launches
inline constexpr std::size_t kMaxCalls = 32;    ///< Count orders of one pass
/// The most first launches of a pass that get a row each; further ones are only counted. Each call that is
/// counted as a whole has room for its row beside them.
inline constexpr std::size_t kMaxLaunches = kMaxRanges - kMaxCalls;
/// Enough for most calls. Opening the first pass takes 0.25 s with this room for rows and 0.48 s with all
/// (docs/measurements.md).
inline constexpr std::uint32_t kFewCalls = 8, kFewLaunches = 16;
inline constexpr std::size_t kMaxKernelName = 256;  ///< bytes, with the zero at the end

/// One launch of a kernel.
struct SheetLaunch {
  std::array<char, kMaxKernelName> kernel{};  ///< mangled name, cut to fit, ends with a zero
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0;  ///< of each thread
  std::uint32_t shared = 0;     ///< bytes for each block, static and dynamic
  std::uint32_t local = 0;      ///< bytes for each thread
  std::uint32_t graph = 0;      ///< 1: it launched a graph, whose kernels are unknown
};

/// The whole sheet.
struct CounterSheet {
  // Written by the judge.
  std::uint32_t metrics = 0;   ///< how many of `names` are used
  std::uint32_t empty_l2 = 0;  ///< 1: empty the L2 before each Count; the runner sets 0 if it cannot
  std::uint32_t most_calls = kMaxCalls;        ///< Count orders of one pass, kMaxCalls at most
  std::uint32_t most_launches = kMaxLaunches;  ///< that get a row, kMaxLaunches at most
  std::array<std::array<char, kMaxMetricName>, kMaxMetrics> names{};  ///< each ends with a zero

  // Written by the first runner on a chip, before its candidate is loaded; by the judge for later runners.
  std::uint64_t config_bytes = 0;                   ///< 0: there is no configuration yet, make one
  std::uint32_t passes = 0;                         ///< that the configuration takes
  std::array<std::uint8_t, kMaxMetrics> unknown{};  ///< 1: the chip has no metric of that name
  std::array<std::uint8_t, kMaxConfig> config{};

  // Written by the runner with each survey (kSurveys, wire.hpp).
  std::uint32_t surveyed = 0;  ///< kernels and graphs that the last surveyed call launched
  std::uint32_t alone = 0;     ///< 1: the last surveyed call was one launch of a kernel, and nothing else

  // Written by the runner with each call whose kernels' spans are recorded (kSpans, wire.hpp).
  std::uint32_t span_kernels = 0;  ///< kernels of the last such call, those within graphs among them
  double span_seconds = 0;         ///< from start to end on the device, summed over them

  // Written by the runner, as its report.
  std::uint32_t range_count = 0;  ///< rows that are used of the arrays below
  /// Launches of each Count by launch: all, also those beyond kMaxLaunches. 0 for a Count of a whole call.
  std::array<std::uint32_t, kMaxCalls> launch_counts{};
  std::array<std::uint32_t, kMaxRanges> calls{};  ///< which Count of the pass each row is of
  /// The values of each row, in the order of `names`; NaN where the chip has no such metric.
  std::array<std::array<double, kMaxMetrics>, kMaxRanges> values{};
  std::array<SheetLaunch, kMaxRanges> launches{};  ///< of rows that are launches; others keep the defaults
};

}  // namespace ridgeline::runner
