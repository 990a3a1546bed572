// Divides this machine's cores between builds and measurements, and pins threads to their part. The plan
// itself is pure; pci_locality.hpp says which cores lie near a device.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::agent {

/// A device that is measured on, and the cores near it.
struct PlannedDevice {
  std::string name;             ///< "cuda:0"
  int numa_node = -1;           ///< -1: the machine has a single node, or none is reported
  std::vector<int> local_cpus;  ///< empty: not known, so all are as near
};

/// The cores of one device's judge, with its runners and interpreters.
struct DeviceCores {
  std::string device;  ///< "cuda:0"
  int numa_node = -1;  ///< as PlannedDevice
  /// Kept free of builds and of other devices' judges: the judge's, and the timed runner's. Empty where there
  /// are too few.
  std::vector<int> reserved;
  /// Those and the cores near the device that builds run on too. Empty: it runs where it likes.
  std::vector<int> allowed;
  /// Threads that the judge computes with: its part of `allowed`.
  int threads = 1;

  friend bool operator==(const DeviceCores&, const DeviceCores&) = default;
};

/// Says how many builds run at once, on which CPUs, and where each device's judge runs.
struct CorePlan {
  int builders = 1;                  ///< concurrent builds
  std::vector<int> build_cpus;       ///< numbers of the CPUs where builds may run; empty: all
  std::vector<DeviceCores> devices;  ///< of GPUs, in their order; the CPU's judge is not bound

  friend bool operator==(const CorePlan&, const CorePlan&) = default;
};

/// Plans for the CPUs `cpus` and the GPUs `devices`. Two cores near each GPU, and two where there is no GPU,
/// are reserved for measurements; each other core runs one build, 32 at most and 16 more for every further
/// GPU. The judge of the only GPU may use all cores; those of several use their own two and what is not
/// reserved on their NUMA node. Where this would leave fewer than half of the cores for builds, as with fewer
/// than four, nothing is reserved and nobody is bound; one build runs beside the measurement then. `wanted`,
/// if positive, overrides the number of builders alone.
CorePlan plan_cores(const std::vector<int>& cpus, const std::vector<PlannedDevice>& devices = {},
                    int wanted = 0);

/// One line for people: "cuda:1: cores 32-33 of NUMA node 1 for itself, 34-63 with builds, 16 threads".
std::string describe(const DeviceCores& cores);
/// "0-3,8": the way in which the system writes sets of CPUs.
std::string cpu_list(const std::vector<int>& cpus);
/// Reads such a list. What is no number or range is left out.
std::vector<int> read_cpu_list(const std::string& text);

/// Makes the calling thread, and every process that it starts from now on, keep off the reserved CPUs and
/// yield to measurements by a lower priority (nice 5). Goes on without either where the machine refuses it.
void become_builder(const CorePlan& plan);
/// Makes the calling thread, and every process that it starts from now on, run on the cores that the device
/// is allowed. No-op for a device that the plan does not bind, or where the machine refuses it.
void become_measurer(const CorePlan& plan, const std::string& device);

/// Returns the machine's name, or "unknown".
std::string host_name();

}  // namespace ridgeline::agent
