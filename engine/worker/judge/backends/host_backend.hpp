// Judges candidates on one thread of the CPU.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "engine/worker/judge/backends/host_ports.hpp"
#include "engine/worker/judge/tasks/backend.hpp"

namespace ridgeline::judge {

class HostBackend : public Backend {
 public:
  /// `python` runs modules, their references and candidates in an interpreter; empty: none of these run.
  explicit HostBackend(std::optional<PythonProgram> python = std::nullopt) : references_(std::move(python)) {}

  std::string name() const override { return "cpu"; }
  std::string device() const override;
  bool runs(Language language) const override {
    const auto& known = traits(language);
    return known.runs_on(name()) && (known.runtime == Runtime::library || references_.runs_modules());
  }
  void describe(protocol::Described& described) const override;
  void configure_runner(RunnerSettings&) override {}

  DeviceMemory& memory() override { return memory_; }
  References& references() override { return references_; }
  const ClockModel& clocks() const override { return clocks_; }
  Telemetry& telemetry() override { return telemetry_; }

 private:
  HostMemory memory_;
  HostReferences references_;
  HostClocks clocks_;
  HostTelemetry telemetry_;
};

}  // namespace ridgeline::judge
