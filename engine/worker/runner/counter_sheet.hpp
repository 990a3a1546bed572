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
inline constexpr std::size_t kMaxRanges = 64;  ///< kernels of a call that are told apart
inline constexpr std::size_t kMaxKernelName = 256;

enum class CountedRanges : std::uint32_t { call = 0, kernels = 1 };

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
  CountedRanges ranges = CountedRanges::call;
  std::uint32_t empty_l2 = 0;  ///< 1: in each pass, before what is counted; the runner sets 0 where it cannot
  std::uint32_t reserved = 0;
  std::array<std::array<char, kMaxMetricName>, kMaxMetrics> names{};  ///< each ends with a zero

  // Made by the first runner on a chip, before its candidate is loaded; the judge gives it to the later ones.
  std::uint64_t config_bytes = 0;  ///< 0: make it
  std::uint32_t passes = 0;
  std::array<std::uint8_t, kMaxMetrics> unknown{};  ///< 1: the chip has no metric of that name
  std::array<std::uint8_t, kMaxConfig> config{};

  // The runner's report.
  std::uint32_t range_count = 0;
  std::uint32_t launch_count = 0;  ///< all of them, also those beyond kMaxRanges
  std::array<std::array<double, kMaxMetrics>, kMaxRanges>
      values{};                                    ///< of each range; NaN where there is none
  std::array<SheetLaunch, kMaxRanges> launches{};  ///< where each kernel is a range
};

}  // namespace ridgeline::runner
