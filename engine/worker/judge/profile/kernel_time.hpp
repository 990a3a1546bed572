// Judges what a counting runner says about how long a call's kernels ran on the device.
//
// All of it is a claim (sheet_reader.hpp): what is returned is bounded and finite. No I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/worker/runner/counter_sheet.hpp"

namespace ridgeline::judge {

/// What the sheet says about one call whose kernels' spans were recorded.
struct SpannedCall {
  std::uint32_t kernels = 0;
  double seconds = 0;  ///< sum of the kernels' spans
};

/// Copies the last such call off the sheet, as it stands there.
SpannedCall read_spans(const runner::CounterSheet& shared);

/// The kernels' own time of a call, or why there is none.
struct KernelTime {
  std::optional<double> seconds;
  std::string why_not;  ///< "" if there is one
};

/// Returns the median over `calls`, which are calls of one case. `launched`: kernels and graphs that its
/// counted call launched. `graphs`: there may be graphs among them, which run more kernels than one. There is
/// no time where a call ran no kernel, where calls ran different numbers of them or others than were
/// launched, and where a figure is not possible.
KernelTime kernel_time_of(std::span<const SpannedCall> calls, std::uint32_t launched, bool graphs);

}  // namespace ridgeline::judge
