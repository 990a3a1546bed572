#include "engine/worker/agent/machine.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <sstream>

namespace ridgeline::agent {
namespace {

constexpr std::size_t kReserved = 2;       // of a device: one core for the judge, one for the runner
constexpr std::size_t kBuilders = 32;      // a compiler takes up to a gigabyte
constexpr std::size_t kMoreBuilders = 16;  // for each further GPU, which judges 2 to 4 kernels a second
constexpr std::size_t kMostThreads = 16;   // of a judge; comparisons gain little from more

bool holds(const std::vector<int>& cpus, int cpu) {
  return std::ranges::find(cpus, cpu) != cpus.end();
}

/// Those of `cpus` that the device lies near; all where that is not known, or none of them is near.
std::vector<int> near(const PlannedDevice& device, const std::vector<int>& cpus) {
  std::vector<int> found;
  std::ranges::copy_if(cpus, std::back_inserter(found),
                       [&](int cpu) { return holds(device.local_cpus, cpu); });
  return found.empty() ? cpus : found;
}

void bind_to(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

CorePlan plan_cores(const std::vector<int>& cpus, const std::vector<PlannedDevice>& devices, int wanted) {
  CorePlan plan;
  const std::size_t measured = std::max<std::size_t>(1, devices.size());
  for (const auto& device : devices)
    plan.devices.push_back({.device = device.name, .numa_node = device.numa_node});
  auto& free = plan.build_cpus;
  if (cpus.size() >= 2 * kReserved * measured) {
    free = cpus;
    for (std::size_t i = 0; i < measured; ++i) {
      auto nearest = devices.empty() ? free : near(devices[i], free);
      nearest.resize(std::min(nearest.size(), kReserved));
      // A node with more devices than pairs of cores: the rest comes from elsewhere.
      for (const int cpu : free)
        if (nearest.size() < kReserved && !holds(nearest, cpu)) nearest.push_back(cpu);
      std::erase_if(free, [&](int cpu) { return holds(nearest, cpu); });
      if (!devices.empty()) plan.devices[i].reserved = std::move(nearest);
    }
    plan.builders = static_cast<int>(std::min(free.size(), kBuilders + (measured - 1) * kMoreBuilders));
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    auto& cores = plan.devices[i];
    if (devices.size() == 1 || cores.reserved.empty()) {
      cores.threads = static_cast<int>(std::clamp<std::size_t>(cpus.size() / measured, 1, kMostThreads));
      continue;  // not bound
    }
    const auto shared = near(devices[i], free);
    cores.allowed = cores.reserved;
    cores.allowed.insert(cores.allowed.end(), shared.begin(), shared.end());
    std::ranges::sort(cores.allowed);
    const auto neighbours = static_cast<std::size_t>(
        std::ranges::count_if(devices, [&](const auto& other) { return near(other, free) == shared; }));
    cores.threads = static_cast<int>(
        std::min(kReserved + shared.size() / std::max<std::size_t>(1, neighbours), kMostThreads));
  }
  if (wanted > 0) plan.builders = wanted;
  return plan;
}

std::string cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[i]);
    if (last > i) text += "-" + std::to_string(cpus[last]);
    i = last + 1;
  }
  return text;
}

std::vector<int> read_cpu_list(const std::string& text) {
  constexpr int most = CPU_SETSIZE;  // what a set of CPUs holds here
  std::vector<int> cpus;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    int first = 0, last = 0;
    const auto* end = part.data() + part.size();
    auto [at, error] = std::from_chars(part.data(), end, first);
    if (error != std::errc()) continue;
    last = first;
    if (at != end && *at == '-' && std::from_chars(at + 1, end, last).ec != std::errc()) continue;
    for (int cpu = first; cpu <= last && cpu < most; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

std::string describe(const DeviceCores& cores) {
  const auto node = cores.numa_node < 0 ? std::string() : fmt::format(" of NUMA node {}", cores.numa_node);
  if (cores.reserved.empty())
    return fmt::format("{}: no cores of its own, {} threads", cores.device, cores.threads);
  if (cores.allowed.empty())
    return fmt::format("{}: cores {}{} without builds, and all others with them, {} threads", cores.device,
                       cpu_list(cores.reserved), node, cores.threads);
  auto shared = cores.allowed;
  std::erase_if(shared, [&](int cpu) { return holds(cores.reserved, cpu); });
  return fmt::format("{}: cores {}{} for itself, {} with builds, {} threads", cores.device,
                     cpu_list(cores.reserved), node, shared.empty() ? "none" : cpu_list(shared),
                     cores.threads);
}

void become_builder(const CorePlan& plan) {
  // Both only protect measurements, so a machine that refuses them (a container) builds all the same.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 5);
  bind_to(plan.build_cpus);
}

void become_measurer(const CorePlan& plan, const std::string& device) {
  for (const auto& cores : plan.devices)
    if (cores.device == device) bind_to(cores.allowed);
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace ridgeline::agent
