// Divides this machine's cores between builds and measurements.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::agent {

/// Says how many builds run at once, and on which CPUs.
struct CorePlan {
  int builders = 1;             ///< concurrent builds
  std::vector<int> build_cpus;  ///< numbers of the CPUs where builds may run; empty: all
};

/// Plans for the CPUs `cpus`. With four or more, the first two are reserved for measurements and runners, and
/// each other runs one build, 32 at most in all. With fewer, one build runs beside the measurement, on any
/// CPU. `wanted`, if positive, overrides the number of builders alone.
CorePlan plan_cores(const std::vector<int>& cpus, int wanted = 0);

/// Makes the calling thread, and every process that it starts from now on, keep off the reserved CPUs and
/// yield to measurements by a lower priority (nice 5). Goes on without either where the machine refuses it.
void become_builder(const CorePlan& plan);

/// Returns the machine's name, or "unknown".
std::string host_name();

}  // namespace ridgeline::agent
