#include "engine/worker/judge/backends/host_ports.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "engine/worker/judge/arenas/host_arena.hpp"
#include "engine/worker/judge/backends/compute_dtype.hpp"
#include "engine/worker/judge/runners/runner_factory.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "profiler/cpu_ceilings.hpp"
#include "profiler/cpu_info.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kMostArena = std::size_t{48} << 20;  // bytes
constexpr std::size_t kMostSlots = 768;
// Share of the machine's memory from which a case streams: 192 MiB of 24 GiB. The figures of its three input
// sets take some fifteen times what its arguments do.
constexpr double kHostStreamingShare = 128;
constexpr int kRemeasurements = 10;   // of the ceilings, 30 ms each, one a candidate
constexpr double kMostSpeedup = 100;  // over the reference, when guessing how many calls fill a batch

}  // namespace

std::unique_ptr<Arena> HostMemory::make_arena(const Task& task, const Case& definition, std::size_t slots) {
  return std::make_unique<HostArena>(task, definition, slots, secret_seed());
}

std::size_t HostMemory::timing_slots(const Task& task, const Case& definition,
                                     double reference_seconds) const {
  const std::size_t arguments = std::max<std::size_t>(1, task.tensors().size());
  std::size_t most = std::min({kMostSlots, runner::kMaxPointers / arguments,
                               kMostArena / std::max<std::size_t>(1, slot_bytes(task, definition))});
  if (reference_seconds > 0)
    most = std::min(most, 3 * calls_per_batch(reference_seconds / kMostSpeedup, kMostSlots, {}));
  return std::max<std::size_t>(3, most / 3 * 3);
}

bool HostMemory::needs_streaming(const Task& task, const Case& definition) const {
  return static_cast<double>(slot_bytes(task, definition)) >= profiler::total_memory() / kHostStreamingShare;
}

std::unique_ptr<const verifier::Reference> HostReferences::make(const Task& task) {
  if (!task.module) return std::make_unique<verifier::TorchScript>(verifier::TorchScript::compile(task));
  return module_reference(task, {secret_seed()});
}

std::unique_ptr<const verifier::Reference> HostReferences::make_kernelbench(const Task& task) {
  return module_reference(task, oracle::kernelbench_weights);
}

const std::shared_ptr<SharedOracle>& HostReferences::oracle() {
  if (!python_) throw MachineCannot(no_python);
  // One thread, so that it leaves cores to the runner that is timed, and computes the same bits everywhere.
  if (!oracle_) oracle_ = make_oracle(*python_, "cpu", host_exchange());
  return oracle_;
}

std::unique_ptr<const verifier::Reference> HostReferences::module_reference(const Task& task,
                                                                            const oracle::Weights& weights) {
  return std::make_unique<ModuleReference>(task, weights, oracle());
}

std::string HostReferences::baseline_name(const Task& task) const {
  if (task.module && !python_) throw MachineCannot(no_python);
  if (task.module)
    return fmt::format("eager torch {} (Python), 1 thread, {}", python_->torch_version,
                       compute_dtype_name(task));
  return fmt::format("eager LibTorch {}, 1 thread, {}", verifier::torch_version(), compute_dtype_name(task));
}

SamplingLimits HostClocks::sampling(double cap) const {
  return {.cap_seconds = cap, .elapsed_seconds = 2 * cap};
}

Evidence HostClocks::weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const {
  return judge::weigh(pairs, overhead);
}

const Ceilings& HostTelemetry::ceilings() {
  if (!ceilings_) ceilings_ = profiler::measure_cpu_ceilings();
  return *ceilings_;
}

void HostTelemetry::remeasure_ceilings(bool exceeded) {
  if (!ceilings_ || (remeasurements_ >= kRemeasurements && !exceeded)) return;
  ++remeasurements_;
  profiler::remeasure(*ceilings_);
}

double HostTelemetry::theoretical_bandwidth() {
  return profiler::theoretical_bandwidth(ceilings());
}

}  // namespace ridgeline::judge
