// The ports of a backend (tasks/backend.hpp) on one thread of the CPU. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/worker/judge/tasks/clock_model.hpp"
#include "engine/worker/judge/tasks/device_memory.hpp"
#include "engine/worker/judge/tasks/module_reference.hpp"
#include "engine/worker/judge/tasks/references.hpp"
#include "engine/worker/judge/tasks/telemetry.hpp"

namespace ridgeline::judge {

class HostMemory : public DeviceMemory {
 public:
  std::unique_ptr<Arena> make_arena(const Task& task, const Case& definition, std::size_t slots) override;
  std::size_t timing_slots(const Task& task, const Case& definition, double reference_seconds) const override;
  bool needs_streaming(const Task& task, const Case& definition) const override;
  std::size_t task_bytes() const override { return std::size_t{512} << 20; }
};

/// LibTorch's on one thread, in the judge's process; a module's in the oracle's.
class HostReferences : public References {
 public:
  /// `python` runs modules; empty: none of these run.
  explicit HostReferences(std::optional<PythonProgram> python) : python_(std::move(python)) {}

  bool runs_modules() const { return python_.has_value(); }
  std::unique_ptr<const verifier::Reference> make(const Task& task) override;
  std::unique_ptr<const verifier::Reference> make_kernelbench(const Task& task) override;
  void expect_modules() override { oracle()->process.begin(); }
  void wait_until_done() const override {}
  std::string baseline_name(const Task& task) const override;

 private:
  const std::shared_ptr<SharedOracle>& oracle();
  std::unique_ptr<const verifier::Reference> module_reference(const Task& task,
                                                              const oracle::Weights& weights);

  std::optional<PythonProgram> python_;
  std::shared_ptr<SharedOracle> oracle_;  // made when a module is first asked for
};

/// CPU time, since there is one thread: a window also holds what others took of the core.
class HostClocks : public ClockModel {
 public:
  SamplingLimits sampling(double cap) const override;
  Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const override;
  double seconds_a_call(const BatchPair& pair, const Overhead& overhead) const override {
    return quotient(pair, Clock::cpu, overhead);
  }
  double slope_a_call(const BatchPair& pair) const override { return slope(pair, Clock::cpu); }
};

class HostTelemetry : public Telemetry {
 public:
  const Ceilings& ceilings() override;
  void remeasure_ceilings(bool exceeded) override;
  double theoretical_bandwidth() override;
  /// Returns the ceilings if they were measured already.
  const std::optional<Ceilings>& measured_ceilings() const { return ceilings_; }

 private:
  std::optional<Ceilings> ceilings_;
  int remeasurements_ = 0;
};

}  // namespace ridgeline::judge
