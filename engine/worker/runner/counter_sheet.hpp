// The page on which judge and runner agree what is counted, and where the runner writes what came out: one
// memory file a set of metrics, made by the judge.
//
// Until the candidate is loaded, what stands on it is the judge's or the runner's own. From then on it is a
// claim, and may change under the reader's eyes: copy first, then look.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridgeline::runner {

inline constexpr std::size_t kMaxSets = 4;
inline constexpr std::size_t kMaxMetrics = 64;
inline constexpr std::size_t kMaxMetricName = 96;
inline constexpr std::size_t kMaxConfig = std::size_t{256} << 10;
inline constexpr std::size_t kMaxRanges = 128;  ///< that are told apart in a pass
inline constexpr std::size_t kMaxCalls = 32;    ///< Counts of one pass
inline constexpr std::size_t kMaxKernelName = 256;

struct SheetLaunch {
  std::array<char, kMaxKernelName> kernel{};  ///< mangled, cut, ends with a zero
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0;  ///< a thread
  std::uint32_t shared = 0;     ///< bytes a block, static and dynamic
  std::uint32_t local = 0;      ///< bytes a thread
  std::uint32_t graph = 0;      ///< 1: a graph's launch, of kernels that are not seen
};

struct CounterSheet {
  // The judge's.
  std::uint32_t metrics = 0;
  std::uint32_t empty_l2 = 0;  ///< 1: before each Count of a pass; the runner sets 0 where it cannot
  std::array<std::array<char, kMaxMetricName>, kMaxMetrics> names{};  ///< each ends with a zero

  // Made by the first runner on a chip, before its candidate is loaded; the judge gives it to the later ones.
  std::uint64_t config_bytes = 0;  ///< 0: make it
  std::uint32_t passes = 0;
  std::array<std::uint8_t, kMaxMetrics> unknown{};  ///< 1: the chip has no metric of that name
  std::array<std::uint8_t, kMaxConfig> config{};

  // The runner's report.
  std::uint32_t alone = 0;  ///< 1: the last surveyed call was one launch of a kernel, and nothing else
  std::uint32_t range_count = 0;
  std::array<std::uint32_t, kMaxCalls>
      launch_counts{};  ///< of each Count by launch: all, also those beyond kMaxRanges
  std::array<std::uint32_t, kMaxRanges> calls{};  ///< of each range: of which Count of the pass it is
  std::array<std::array<double, kMaxMetrics>, kMaxRanges>
      values{};                                    ///< of each range; NaN where there is none
  std::array<SheetLaunch, kMaxRanges> launches{};  ///< of ranges that are launches
};

}  // namespace ridgeline::runner
