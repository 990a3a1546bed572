// Reads the counter sheet that a counting runner fills (runner/counter_sheet.hpp).
//
// The candidate shares the runner's process, so all of the sheet is a claim, and it may change while it is
// read. It is copied first; whatever is returned is bounded and finite. No I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"
#include "engine/worker/runner/counter_sheet.hpp"
#include "profiler/device_metrics.hpp"

namespace ridgeline::judge {

/// One call of a counted pass.
struct PassCall {
  std::size_t at_case = 0;  ///< index among the counted cases
  bool by_launch = false;   ///< each launch is counted by itself
  bool alone = false;       ///< one launch is the whole call, as surveys before and after the passes say
};

/// Holds what the sheet says about one case.
struct SheetRows {
  std::optional<profiler::MetricValues> call;
  std::vector<std::pair<runner::SheetLaunch, profiler::MetricValues>> launches;
  std::uint32_t launched = 0;  ///< number of launches, also of those beyond the sheet's ranges
  std::string why_not;         ///< "" unless the call is set aside
};

/// Holds what was counted of one call, or why nothing was.
struct CountedCall {
  std::vector<Counter> counters;
  std::vector<KernelLaunch> launches;  ///< in their order; theoretical occupancy is not yet filled in
  std::string why_not;                 ///< "" if something was counted
  std::string no_kernel_time = {};     ///< why counter::kernel_seconds is not among them; "" if it is
};

/// Returns what the sheet says about each of `cases` cases, in their order. `calls`: those of each pass, in
/// order. `not_alone`: cases whose call was one launch at first, and was not later.
std::vector<SheetRows> read_sheet(const runner::CounterSheet& shared, profiler::MetricSet set,
                                  std::span<const PassCall> calls, std::span<const std::size_t> not_alone,
                                  std::size_t cases);

/// Translates the rows of a case that was counted (`rows.call` is there) into counters and launches.
CountedCall counted_call(profiler::MetricSet set, const SheetRows& rows, const std::string& case_name);

}  // namespace ridgeline::judge
