// The ports of a backend (tasks/backend.hpp) on one CUDA device. Two of them need only facts about it, so
// they can be made without one. One thread, but for `CudaTelemetry::joules`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/device.hpp"
#include "engine/cuda/monitor.hpp"
#include "engine/cuda/possession_watch.hpp"
#include "engine/worker/judge/arenas/device_arena.hpp"
#include "engine/worker/judge/tasks/clock_model.hpp"
#include "engine/worker/judge/tasks/device_memory.hpp"
#include "engine/worker/judge/tasks/module_reference.hpp"
#include "engine/worker/judge/tasks/references.hpp"
#include "engine/worker/judge/tasks/telemetry.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

/// A device whose primary context this process holds, with the judge's own kernels loaded. The members follow
/// from one another in this order.
struct CudaDevice {
  /// `most`: bytes of its memory that are left to this and all other processes; 0: all. The rest is taken
  /// here, so that everybody meets the shortage of a smaller device. Throws BadInput where it has no more.
  explicit CudaDevice(int index, std::size_t most = 0);
  CudaDevice(const CudaDevice&) = delete;  // the ports hold its address
  CudaDevice& operator=(const CudaDevice&) = delete;

  cuda::DeviceFacts facts;
  cuda::PrimaryContext context;
  std::optional<cuda::SharedMemory> taken;  // so that no more than `most` is left
  DeviceTools tools;
  std::size_t taken_bytes() const { return taken ? taken->mapping.bytes() : 0; }
};

class CudaMemory final : public DeviceMemory {
 public:
  explicit CudaMemory(CudaDevice& device)
      : facts_(device.facts), taken_bytes_(device.taken_bytes()), tools_(device.tools) {}

  std::unique_ptr<Arena> make_arena(const Task& task, const Case& definition, std::size_t slots) override;
  std::size_t timing_slots(const Task& task, const Case& definition, double reference_seconds) const override;
  bool needs_streaming(const Task& task, const Case& definition) const override;
  std::int64_t slice_elements(const Task& task, const Case& definition) const override;
  std::size_t task_bytes() const override;
  void give_back_cached() override;
  double total_bytes() override { return static_cast<double>(facts_.memory_bytes); }
  double free_bytes() override;
  void look() override;
  /// Enters into the account what a run of the oracle took beside what others held then.
  void oracle_ran(const oracle::Cost& cost);

 private:
  MemoryLook who_holds() const;

  const cuda::DeviceFacts& facts_;
  std::size_t taken_bytes_;  // of the device, so that it seems smaller
  DeviceTools& tools_;
  double oracle_holds_ = 0;  // since its last run
};

/// LibTorch's on the device, in the judge's process; a module's in the oracle's.
class CudaReferences final : public References {
 public:
  /// `python` runs modules; empty: none of these run. `facts` must outlive it.
  /// `oracle_ran` is told what each run of the oracle took.
  CudaReferences(const cuda::DeviceFacts& facts, std::optional<PythonProgram> python,
                 std::function<void(const oracle::Cost&)> oracle_ran = {})
      : facts_(facts), python_(std::move(python)), oracle_ran_(std::move(oracle_ran)) {}

  bool runs_modules() const { return python_.has_value(); }
  std::unique_ptr<const verifier::Reference> make(const Task& task) override;
  std::unique_ptr<const verifier::Reference> make_kernelbench(const Task& task) override;
  void expect_modules() override { oracle()->process.begin(); }
  void wait_until_done() const override;
  std::string baseline_name(const Task& task) const override;

 private:
  const std::shared_ptr<SharedOracle>& oracle();
  std::unique_ptr<const verifier::Reference> module_reference(const Task& task,
                                                              const oracle::Weights& weights);

  const cuda::DeviceFacts& facts_;
  std::optional<PythonProgram> python_;
  std::function<void(const oracle::Cost&)> oracle_ran_;
  std::shared_ptr<SharedOracle> oracle_;  // made when a module is first asked for
};

/// The judge's wall time of whole windows and the device's clock, since a CPU's time says nothing here.
class CudaClocks final : public ClockModel {
 public:
  /// `facts` must outlive it.
  explicit CudaClocks(const cuda::DeviceFacts& facts) : facts_(facts) {}

  SamplingLimits sampling(double cap) const override;
  Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const override;
  double seconds_a_call(const BatchPair& pair, const Overhead& overhead) const override;
  double slope_a_call(const BatchPair& pair) const override;
  bool replays_graphs() const override { return true; }
  /// False: contexts that started and ended all the time moved medians by less than 0.5 %
  /// (docs/decisions/gpu-baselines.md).
  bool starts_disturb() const override { return false; }

 private:
  const cuda::DeviceFacts& facts_;
};

class CudaTelemetry final : public Telemetry {
 public:
  explicit CudaTelemetry(CudaDevice& device)
      : facts_(device.facts), tools_(device.tools), watch_(device.facts.index), monitor_(device.facts.uuid) {}
  /// Finds CUPTI. Call it once, after torch is loaded, whose packages bring CUPTI.
  void find_counters();

  bool sound() const override;
  double response_seconds() override;
  double interruption_of(const std::function<void()>& work) override;
  double clock_hz() override { return tools_.jobs().clock(); }
  std::string throttle_note() override;
  std::optional<double> joules() const override { return monitor_.joules(); }
  const Ceilings& ceilings() override;
  double theoretical_bandwidth() override;
  std::optional<DeviceCounting> counting() const override { return counting_; }
  /// Adds shortfalls, counters, and the ceilings if they were measured already.
  void describe(protocol::Described& described) const;

 private:
  const cuda::DeviceFacts& facts_;
  DeviceTools& tools_;
  cuda::PossessionWatch watch_;
  cuda::Monitor monitor_;
  DeviceCounting counting_;
  std::optional<Ceilings> ceilings_;
};

}  // namespace ridgeline::judge
