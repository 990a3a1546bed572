// Compares the same kernels across devices: KernelBench-X's cross-GPU figures.
//
// Covers kernels that were timed on at least two devices: another machine judged the candidates of one store
// again, into a second store. Pure, except for what a RooflineReader does.
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
  double efficiency = 0;  ///< Roofline::efficiency there, the mean over cases weighted by time; 0: unknown
};

/// A kernel that was timed on two devices or more.
struct KernelAcrossDevices {
  std::string task;
  Hash candidate;
  std::vector<std::optional<OnDevice>> by_device;  ///< one for each of AcrossDevices::devices
  /// The largest speed-up over the smallest, at least 1: a kernel of 1 is equally fast against eager
  /// everywhere.
  double ratio = 1;
  /// The only device on which it is faster than eager LibTorch: the 95 % interval of its speed-up lies above
  /// 1 there, and below 1 on each other device. An index of AcrossDevices::devices; nullopt if there is none.
  std::optional<std::size_t> only_fast_device;
};

struct AcrossDevices {
  std::vector<std::string> devices;          ///< by name
  std::vector<KernelAcrossDevices> kernels;  ///< the largest ratio first
  Speed mean_ratio;                          ///< geometric mean of the ratios, with its interval over tasks
  double median_ratio = 1;
  std::vector<Speed> speeds;          ///< of `kernels` on each device
  std::vector<int> only_fast_counts;  ///< of each device: kernels whose only_fast_device it is
};

/// Returns nullopt where no kernel was timed on two devices. Leaves out flagged kernels, whose
/// times are doubtful. A kernel is a candidate on a task. Its evaluations may differ in their settings, since
/// the machine is one of those settings. Without `rooflines`, CandidateOutcome::rooflines are taken.
std::optional<AcrossDevices> across_devices(const std::vector<ComparedTrajectory>& trajectories,
                                            const RooflineReader& rooflines = {});

}  // namespace ridgeline::compare
