#include "engine/worker/judge/backends/cuda_backend.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "engine/verifier/torch_setup.hpp"
#include "engine/worker/sandbox/gpu_policy.hpp"

namespace ridgeline::judge {

CudaBackend::CudaBackend(int device, std::optional<PythonProgram> python, std::size_t most_memory)
    : device_(device, most_memory),
      clocks_(device_.facts),
      memory_(device_),
      telemetry_(device_),
      references_(device_.facts, std::move(python),
                  [this](const oracle::Cost& cost) { memory_.oracle_ran(cost); }) {
  verifier::load_cuda_half(device);
  telemetry_.find_counters();
}

void CudaBackend::describe(protocol::Described& described) const {
  const auto& facts = device_.facts;
  described.backends = {"cuda"};
  described.devices = {{facts.name, "cuda", facts.index, static_cast<double>(facts.memory_bytes),
                        fmt::format("sm_{}{}", facts.major, facts.minor), facts.uuid, facts.bus_id}};
  telemetry_.describe(described);
}

void CudaBackend::configure_runner(RunnerSettings& settings) {
  settings.cuda_device = device_.facts.index;
  // An instance of a card has a name of its own (MIG-…), which the driver gives for no index.
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const bool instance = visible != nullptr && std::string_view(visible).starts_with("MIG");
  if (const auto& facts = device_.facts; !facts.uuid.empty() && !instance)
    settings.card = sandbox::card_node(facts.bus_id);
  if (!settings.card.empty()) {  // where other cards cannot be opened, this one may have another number
    settings.visible_gpu = device_.facts.uuid;
    settings.cuda_device = 0;
  }
  settings.occupy_device = [this] { telemetry_.response_seconds(); };
  settings.data_limit = 0;  // the driver reserves far more address space than memory
  device_.tools.sealing();  // now: making it waits for the device
  const auto& memory = device_.tools.eviction();
  settings.sealing =
      std::make_shared<SealingMeans>(SealingMeans{.cubin = device_.tools.sealing_cubin(),
                                                  .memory = memory.descriptor.get(),
                                                  .memory_bytes = memory.mapping.bytes(),
                                                  .evicted_bytes = device_.tools.evicted().bytes});
}

}  // namespace ridgeline::judge
