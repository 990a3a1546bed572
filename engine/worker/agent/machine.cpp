#include "engine/worker/agent/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace ridgeline::agent {

CorePlan plan_cores(const std::vector<int>& cpus, int wanted) {
  constexpr std::size_t reserved = 2;  // one for the judge, one for the runner
  constexpr int most_builders = 32;    // a compiler takes up to a gigabyte
  CorePlan plan;
  if (cpus.size() >= 2 * reserved) {
    plan.build_cpus.assign(cpus.begin() + reserved, cpus.end());
    plan.builders = std::min(static_cast<int>(plan.build_cpus.size()), most_builders);
  }
  if (wanted > 0) plan.builders = wanted;
  return plan;
}

void become_builder(const CorePlan& plan) {
  // Both only protect measurements, so a machine that refuses them (a container) builds all the same.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 5);
  if (plan.build_cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : plan.build_cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace ridgeline::agent
