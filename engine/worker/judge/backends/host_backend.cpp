#include "engine/worker/judge/backends/host_backend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "engine/worker/judge/arenas/host_arena.hpp"
#include "engine/worker/judge/backends/compute_dtype.hpp"
#include "engine/worker/judge/runners/runner_factory.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "profiler/cpu_ceilings.hpp"
#include "profiler/cpu_info.hpp"
#include "profiler/perf_counters.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kMostArena = std::size_t{48} << 20;  // bytes
constexpr std::size_t kMostSlots = 768;
// Share of the machine's memory from which a case streams: 192 MiB of 24 GiB. The figures of its three input
// sets take some fifteen times what its arguments do.
constexpr double kHostStreamingShare = 128;
constexpr int kRemeasurements = 10;   // of the ceilings, 30 ms each, one a candidate
constexpr double kMostSpeedup = 100;  // over the reference, when guessing how many calls fill a batch

/// Lists GPUs although they get judges of their own: an agent asks this judge first, and learns from it which
/// others to start.
void list_cuda_devices(protocol::Described& described) {
  try {
    for (int index = 0; index < cuda::device_count(); ++index) {
      const auto facts = cuda::device_facts(index);
      described.devices.push_back({facts.name, "cuda", index, static_cast<double>(facts.memory_bytes),
                                   fmt::format("sm_{}{}", facts.major, facts.minor)});
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
  if (ceilings_) described.ceilings = {*ceilings_};
  list_cuda_devices(described);
}

std::unique_ptr<Arena> HostBackend::make_arena(const Task& task, const Case& definition, std::size_t slots) {
  return std::make_unique<HostArena>(task, definition, slots, secret_seed());
}

std::size_t HostBackend::timing_slots(const Task& task, const PreparedCase& prepared_case) const {
  const std::size_t arguments = std::max<std::size_t>(1, task.tensors().size());
  std::size_t most =
      std::min({kMostSlots, runner::kMaxPointers / arguments,
                kMostArena / std::max<std::size_t>(1, slot_bytes(task, prepared_case.definition()))});
  if (const double reference = prepared_case.baseline().reference_seconds(); reference > 0)
    most = std::min(most, 3 * calls_per_batch(reference / kMostSpeedup, kMostSlots, {}));
  return std::max<std::size_t>(3, most / 3 * 3);
}

bool HostBackend::needs_streaming(const Task& task, const Case& definition) const {
  return static_cast<double>(slot_bytes(task, definition)) >= profiler::total_memory() / kHostStreamingShare;
}

SamplingLimits HostBackend::sampling(double cap) const {
  return {.cap_seconds = cap, .elapsed_seconds = 2 * cap};
}

std::unique_ptr<const verifier::Reference> HostBackend::make_reference(const Task& task) {
  if (!task.module) return std::make_unique<verifier::TorchScript>(verifier::TorchScript::compile(task));
  return module_reference(task, {secret_seed()});
}

std::unique_ptr<const verifier::Reference> HostBackend::make_kernelbench_reference(const Task& task) {
  return module_reference(task, oracle::kernelbench_weights);
}

const std::shared_ptr<SharedOracle>& HostBackend::oracle() {
  if (!python_) throw MachineCannot(no_python);
  // One thread, so that it leaves cores to the runner that is timed, and computes the same bits everywhere.
  if (!oracle_) oracle_ = make_oracle(*python_, "cpu", host_exchange());
  return oracle_;
}

std::unique_ptr<const verifier::Reference> HostBackend::module_reference(const Task& task,
                                                                         const oracle::Weights& weights) {
  return std::make_unique<ModuleReference>(task, weights, oracle());
}

std::string HostBackend::baseline_name(const Task& task) const {
  if (task.module)
    return fmt::format("eager torch {} (Python), 1 thread, {}", python_->torch_version,
                       compute_dtype_name(task));
  return fmt::format("eager LibTorch {}, 1 thread, {}", verifier::torch_version(), compute_dtype_name(task));
}

Evidence HostBackend::weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const {
  return judge::weigh(pairs, overhead);
}

const Ceilings& HostBackend::ceilings() {
  if (!ceilings_) ceilings_ = profiler::measure_cpu_ceilings();
  return *ceilings_;
}

void HostBackend::remeasure_ceilings(bool exceeded) {
  if (!ceilings_ || (remeasurements_ >= kRemeasurements && !exceeded)) return;
  ++remeasurements_;
  profiler::remeasure(*ceilings_);
}

double HostBackend::theoretical_bandwidth() {
  return profiler::theoretical_bandwidth(ceilings());
}

}  // namespace ridgeline::judge
