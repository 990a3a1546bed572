// Judges candidates on one CUDA device. The constructor loads the driver, NVRTC and LibTorch's CUDA half.
#pragma once

#include <optional>
#include <string>

#include "engine/worker/judge/backends/cuda_ports.hpp"
#include "engine/worker/judge/tasks/backend.hpp"

namespace ridgeline::judge {

class CudaBackend final : public Backend {
 public:
  /// `device`: CUDA's index. `python` runs modules, their references and candidates in an interpreter; empty:
  /// none of these run. Throws MachineCannot, saying which part is missing and how to fix that.
  /// `most_memory`: bytes of the device that judging may take, candidates included; 0: all.
  explicit CudaBackend(int device, std::optional<PythonProgram> python = std::nullopt,
                       std::size_t most_memory = 0);

  std::string name() const override { return "cuda"; }
  std::string device() const override { return device_.facts.name; }
  bool runs(Language language) const override {
    const auto& known = traits(language);
    return known.runs_on(name()) && (known.runtime == Runtime::library || references_.runs_modules());
  }
  void describe(protocol::Described& described) const override;
  void configure_runner(RunnerSettings& settings) override;

  DeviceMemory& memory() override { return memory_; }
  References& references() override { return references_; }
  const ClockModel& clocks() const override { return clocks_; }
  Telemetry& telemetry() override { return telemetry_; }

 private:
  // The ports use the device, so it comes first and goes last. The oracle, which the references hold, maps
  // the device's memory, so it goes before all else.
  CudaDevice device_;
  CudaClocks clocks_;
  CudaMemory memory_;
  CudaTelemetry telemetry_;
  CudaReferences references_;
};

}  // namespace ridgeline::judge
