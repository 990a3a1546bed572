#include "engine/worker/judge/backends/host_backend.hpp"

#include <fmt/format.h>

#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"
#include "profiler/cpu_info.hpp"
#include "profiler/perf_counters.hpp"

namespace ridgeline::judge {
namespace {

/// Lists GPUs although they get judges of their own: an agent asks this judge first, and learns from it which
/// others to start.
void list_cuda_devices(protocol::Described& described) {
  try {
    for (int index = 0; index < cuda::device_count(); ++index) {
      const auto facts = cuda::device_facts(index);
      described.devices.push_back({facts.name, "cuda", index, static_cast<double>(facts.memory_bytes),
                                   fmt::format("sm_{}{}", facts.major, facts.minor), facts.uuid,
                                   facts.bus_id});
    }
  } catch (const MachineCannot& error) {
    described.shortfalls.emplace_back(error.what());
  }
}

}  // namespace

std::string HostBackend::device() const {
  return profiler::cpu_name() + ", 1 thread";
}

void HostBackend::describe(protocol::Described& described) const {
  described.backends = {"cpu"};
  described.devices = {{profiler::cpu_name(), "cpu", 0, profiler::total_memory()}};
  const auto access = profiler::probe_perf_counters();
  described.counters = {access.readable, access.why_not};
  if (!access.readable) described.shortfalls.push_back("hardware counters: " + access.why_not);
  if (const auto& ceilings = telemetry_.measured_ceilings()) described.ceilings = {*ceilings};
  list_cuda_devices(described);
}

}  // namespace ridgeline::judge
