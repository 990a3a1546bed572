// Judges candidates on one CUDA device. The constructor loads the driver, NVRTC and LibTorch's CUDA half.
#pragma once

#include <memory>
#include <optional>

#include "engine/cuda/device.hpp"
#include "engine/cuda/monitor.hpp"
#include "engine/worker/judge/arenas/device_arena.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/judge/tasks/module_reference.hpp"

namespace ridgeline::judge {

class CudaBackend final : public Backend {
 public:
  /// `device`: CUDA's index. `python` runs modules, their references and candidates in an interpreter; empty:
  /// none of these run. Throws MachineCannot, saying which part is missing and how to fix that.
  explicit CudaBackend(int device, std::optional<PythonProgram> python = std::nullopt);

  std::string name() const override { return "cuda"; }
  std::string device() const override { return facts_.name; }
  bool runs(Language language) const override {
    const auto& known = traits(language);
    return known.runs_on(name()) && (known.runtime == Runtime::library || python_);
  }
  void describe(protocol::Described& described) const override;
  void configure_runner(RunnerSettings& settings) override;
  std::unique_ptr<Arena> make_arena(const Task& task, const Case& definition, std::size_t slots) override;
  std::size_t timing_slots(const Task& task, const PreparedCase& prepared_case) const override;
  bool needs_streaming(const Task& task, const Case& definition) const override;
  SamplingLimits sampling(double cap) const override;
  std::size_t task_memory() const override;
  std::unique_ptr<const verifier::Reference> make_reference(const Task& task) override;
  std::unique_ptr<const verifier::Reference> make_kernelbench_reference(const Task& task) override;
  void expect_modules() override { oracle()->process.begin(); }
  void wait_for_reference() const override;
  std::string baseline_name(const Task& task) const override;
  /// False: contexts that started and ended all the time moved medians by less than 0.5 %
  /// (docs/decisions/gpu-baselines.md).
  bool starts_disturb() const override { return false; }
  bool sound() const override;
  void give_back_memory() override;
  double free_memory() override;
  double response_seconds() override;
  double clock_hz() override { return tools_.jobs().clock(); }
  std::string throttle_note() override;
  bool replays_graphs() const override { return true; }
  std::optional<double> joules() const override { return monitor_.joules(); }
  double seconds_a_call(const BatchPair& pair, const Overhead& overhead) const override;
  double slope_a_call(const BatchPair& pair) const override;
  Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const override;
  const Ceilings& ceilings() override;
  double theoretical_bandwidth() override;
  std::optional<DeviceCounting> counting() const override { return counting_; }

 private:
  const std::shared_ptr<SharedOracle>& oracle();
  std::unique_ptr<const verifier::Reference> module_reference(const Task& task,
                                                              const oracle::Weights& weights);

  std::optional<PythonProgram> python_;
  cuda::DeviceFacts facts_;
  cuda::PrimaryContext context_;
  DeviceTools tools_;
  cuda::Monitor monitor_;
  DeviceCounting counting_;
  std::optional<Ceilings> ceilings_;
  std::shared_ptr<SharedOracle> oracle_;  // made when a module is first asked for
};

}  // namespace ridgeline::judge
