#include "engine/worker/judge/backends/cuda_backend.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/verifier/torch_setup.hpp"

namespace ridgeline::judge {

CudaBackend::CudaBackend(int device, std::optional<PythonProgram> python)
    : device_(device),
      clocks_(device_.facts),
      memory_(device_),
      telemetry_(device_),
      references_(device_.facts, std::move(python)) {
  verifier::load_cuda_half(device);
  telemetry_.find_counters();
}

void CudaBackend::describe(protocol::Described& described) const {
  const auto& facts = device_.facts;
  described.backends = {"cuda"};
  described.devices = {{facts.name, "cuda", facts.index, static_cast<double>(facts.memory_bytes),
                        fmt::format("sm_{}{}", facts.major, facts.minor)}};
  telemetry_.describe(described);
}

void CudaBackend::configure_runner(RunnerSettings& settings) {
  settings.cuda_device = device_.facts.index;
  settings.occupy_device = [this] { telemetry_.response_seconds(); };
  settings.data_limit = 0;  // the driver reserves far more address space than memory
}

}  // namespace ridgeline::judge
