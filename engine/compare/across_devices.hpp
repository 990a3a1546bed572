// How the same kernels do on several devices: KernelBench-X's cross-GPU figures.
//
// Of kernels that were timed on two devices or more: candidates of one store that another machine judged
// again into a second store. Pure, but for what the reader of rooflines does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/compare/roofline_reader.hpp"
#include "engine/compare/speed.hpp"
#include "engine/compare/trajectory.hpp"

namespace ridgeline::compare {

/// A kernel on one device.
struct OnDevice {
  double speedup = 0;     ///< over eager LibTorch there; the median where it was evaluated more than once
  double efficiency = 0;  ///< max(IOU, MFU) there, the mean over cases weighted by time; 0 if unknown
};

/// A kernel that was timed on two devices or more.
struct KernelAcrossDevices {
  std::string task;
  Hash candidate;
  std::vector<std::optional<OnDevice>> on;  ///< one for each of `devices`
  /// The largest speed-up over the smallest, 1 and more: 1 is a kernel that carries over.
  double ratio = 1;
  /// The device on which alone it is faster than eager LibTorch (over 1, its whole interval), while on each
  /// other its whole interval is below 1; nullopt if there is none. An index of `devices`.
  std::optional<std::size_t> fast_on_alone;
};

struct AcrossDevices {
  std::vector<std::string> devices;          ///< by name
  std::vector<KernelAcrossDevices> kernels;  ///< the largest ratio first
  Speed ratio;                               ///< geometric mean of the ratios, with its interval over tasks
  double median_ratio = 1;
  std::vector<Speed> speeds;       ///< of `kernels` on each device
  std::vector<int> fast_on_alone;  ///< how many kernels, of each device
};

/// Returns nullopt where no kernel was timed on two devices. Leaves out the times of flagged kernels, whose
/// times deserve doubt. A kernel is a candidate on a task. Its evaluations may differ in their settings,
/// since the machine is one of them. Without `rooflines`, each outcome's own are taken.
std::optional<AcrossDevices> across_devices(const std::vector<ComparedTrajectory>& trajectories,
                                            const RooflineReader& rooflines = {});

}  // namespace ridgeline::compare
