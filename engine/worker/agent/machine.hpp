// How this machine's cores are shared between builds and measurements.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::agent {

struct CorePlan {
  int builders = 1;
  std::vector<int> build_cpus;  ///< where builds may run; empty: anywhere
};

/// From four cores on, two are kept free of builds for the measurement at hand; below, one build runs beside
/// it. `wanted` builders, where positive, override the number.
CorePlan plan_cores(const std::vector<int>& cpus, int wanted = 0);

/// The calling thread, and what it starts from now on, builds: off the kept cores, and yielding to
/// measurements.
void become_builder(const CorePlan& plan);

std::string host_name();

}  // namespace ridgeline::agent
