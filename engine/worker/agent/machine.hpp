// Divides this machine's cores between builds and measurements.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::agent {

/// Where and how many builds run at once.
struct CorePlan {
  int builders = 1;             ///< concurrent builds
  std::vector<int> build_cpus;  ///< CPUs where builds may run; empty: all
};

/// Plans for the CPUs `cpus`. With four or more, two are reserved for measurements and runners; with fewer,
/// one build runs beside the measurement. `wanted`, if positive, overrides the number of builders.
CorePlan plan_cores(const std::vector<int>& cpus, int wanted = 0);

/// Makes the calling thread, and every process that it starts from now on, keep off the reserved cores and
/// yield to measurements by a lower priority.
void become_builder(const CorePlan& plan);

std::string host_name();

}  // namespace ridgeline::agent
