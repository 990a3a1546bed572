// Candidates on one CUDA device. The driver, NVRTC and LibTorch's CUDA half are loaded when this is made.
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
  /// `python`: what runs modules, their references and candidates of torch; none where there is no such
  /// Python. Throws MachineCannot, saying which of its parts is missing and the mend.
  explicit CudaBackend(int device, std::optional<PythonProgram> python = std::nullopt);

  std::string name() const override { return "cuda"; }
  std::string device() const override { return facts_.name; }
  bool runs(Language language) const override {
    const auto& known = traits(language);
    return known.runs_on(name()) && (known.runtime == Runtime::library || python_);
  }
  void describe(protocol::Described& described) const override;
  void adapt(RunnerSettings& settings) override;
  std::unique_ptr<Arena> make_arena(const Task& task, const Case& one, std::size_t slots) override;
  std::size_t timing_slots(const Task& task, const PreparedCase& one) const override;
  bool lean(const Task& task, const Case& one) const override;
  SamplingLimits sampling(double cap) const override;
  std::size_t task_memory() const override;
  std::unique_ptr<const verifier::Reference> make_reference(const Task& task) override;
  std::unique_ptr<const verifier::Reference> make_kernelbench_reference(const Task& task) override;
  void expect_modules() override { oracle()->process.begin(); }
  void finish_reference() const override;
  std::string baseline_name(const Task& task) const override;
  /// Contexts that came and went all the time moved medians by less than 0.5 %
  /// (docs/decisions/gpu-baselines.md).
  bool starts_disturb() const override { return false; }
  bool sound() const override;
  void give_back_memory() override;
  double free_memory() override;
  double settle() override;
  double clock() override { return tools_.jobs().clock(); }
  std::string trouble() override;
  bool replays() const override { return true; }
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
  std::shared_ptr<SharedOracle> oracle_;  ///< once a module is asked for
};

}  // namespace ridgeline::judge
