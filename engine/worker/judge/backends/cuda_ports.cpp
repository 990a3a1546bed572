#include "engine/worker/judge/backends/cuda_ports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/cuda/cupti_search.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "engine/worker/judge/arenas/cached_device_memory.hpp"
#include "engine/worker/judge/backends/compute_dtype.hpp"
#include "engine/worker/judge/backends/device_ceilings.hpp"
#include "engine/worker/judge/runners/runner_factory.hpp"
#include "engine/worker/judge/sampling/cuda_evidence.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

// Bytes of one timing arena: enough for batches of half a millisecond even if each call fills a cache, and so
// few that the arenas of all cases of a suite stay made. Making them anew for each candidate took more time
// than timing it.
constexpr std::size_t kMostDeviceArena = std::size_t{3} << 30;
constexpr std::size_t kMostDeviceSlots = 768;
constexpr std::size_t kStreamingShare = 128;  // of the device's memory: some 1 GiB of an H200
constexpr std::size_t kStateShare = 16;       // of it: a module with more weights streams too
constexpr std::size_t kSliceShare = 40;       // of it, that a tensor of a slice may take: 2 GiB of 80
constexpr double kDeviceBatch = 0.6e-3;       // seconds; the window itself is uncertain by some microseconds
// Share of the L2 that hot operands may take: its two halves each keep copies of what their side reads from
// the other.
constexpr double kHotShare = 0.5;
constexpr double kLeastCall = 2e-6;  // seconds; a launch takes no less

/// Elapsed time gets four times the cap: slots of hundreds of megabytes take longer to fill and to inspect
/// than to call.
SamplingLimits device_sampling(double cap) {
  return {.cap_seconds = cap,
          .elapsed_seconds = 4 * cap,
          .batch_seconds = kDeviceBatch,
          .hot_share = kHotShare,
          .sample_of = uninterrupted_slope};
}

}  // namespace

CudaDevice::CudaDevice(int index, std::size_t most)
    : facts(cuda::device_facts(index)), context(index), tools(index, 4 * facts.l2_bytes, secret_seed()) {
  if (most == 0) return;
  if (most > facts.memory_bytes)
    throw BadInput(fmt::format("--device-memory: {} has {} MiB, and {} MiB are asked for", facts.name,
                               facts.memory_bytes >> 20, most >> 20));
  // What others hold already counts as theirs: the device seems to have `most` bytes, and these are of them.
  taken = cuda::make_shared_memory(std::max<std::size_t>(facts.memory_bytes - most, 1), index);
  facts.memory_bytes = most;
}

std::unique_ptr<Arena> CudaMemory::make_arena(const Task& task, const Case& definition, std::size_t slots) {
  ensure_device_memory(facts_.index, slots * slot_bytes(task, definition, kDeviceLayout));
  return std::make_unique<DeviceArena>(task, definition, slots, secret_seed(), tools_);
}

/// Assumes the fastest call that the bytes allow, whatever the reference takes.
std::size_t CudaMemory::timing_slots(const Task& task, const Case& definition,
                                     [[maybe_unused]] double reference_seconds) const {
  const std::size_t arguments = std::max<std::size_t>(1, task.tensors().size());
  std::size_t most = std::min({kMostDeviceSlots, runner::kMaxPointers / arguments,
                               kMostDeviceArena / slot_bytes(task, definition, kDeviceLayout)});
  const double bytes = task.bytes.evaluate(definition.sizes);
  const double least = std::max(kLeastCall, bytes / std::max(1.0, facts_.theoretical_bandwidth) / 2);
  most = std::min(most, 3 * calls_per_batch(least, kMostDeviceSlots, device_sampling(0)));
  return std::max<std::size_t>(3, most / 3 * 3);
}

bool CudaMemory::needs_streaming(const Task& task, const Case& definition) const {
  return slot_bytes(task, definition, kDeviceLayout) >= facts_.memory_bytes / kStreamingShare ||
         state_bytes(task) >= facts_.memory_bytes / kStateShare;
}

std::int64_t CudaMemory::slice_elements(const Task& task, const Case& definition) const {
  if (!needs_streaming(task, definition)) return 0;
  return static_cast<std::int64_t>(facts_.memory_bytes / kSliceShare / sizeof(double));
}

/// Prepared tasks lie on the device, except for contracts that are judged on the CPU.
std::size_t CudaMemory::task_bytes() const {
  return facts_.memory_bytes / 2;
}

void CudaMemory::give_back_cached() {
  return_cached_memory();
}

double CudaMemory::free_bytes() {
  std::size_t left = 0, all = 0;
  cuda::check(cuda::driver().cuMemGetInfo(&left, &all), "asking for the device's free memory");
  return static_cast<double>(left);
}

/// What the driver says of the whole device less what the judge and the oracle know of themselves.
MemoryLook CudaMemory::who_holds() const {
  std::size_t left = 0, all = 0;
  cuda::check(cuda::driver().cuMemGetInfo(&left, &all), "asking for the device's free memory");
  MemoryLook now;
  now.judge = static_cast<double>(torch_bytes(facts_.index) + cuda::shared_bytes() - taken_bytes_);
  now.oracle = oracle_holds_;
  now.runners = std::max(0.0, static_cast<double>(all - left - taken_bytes_) - now.judge - now.oracle);
  return now;
}

void CudaMemory::look() {
  account().saw(who_holds());
}

void CudaMemory::oracle_ran(const oracle::Cost& cost) {
  oracle_holds_ = static_cast<double>(cost.held_bytes);
  auto then = who_holds();
  then.oracle = std::max(then.oracle, static_cast<double>(cost.peak_bytes));
  account().saw(then);
}

std::unique_ptr<const verifier::Reference> CudaReferences::make(const Task& task) {
  if (task.module) return module_reference(task, {secret_seed()});
  auto reference = std::make_unique<verifier::TorchScript>(verifier::TorchScript::compile(task));
  reference->place_on_cuda(facts_.index);
  return reference;
}

std::unique_ptr<const verifier::Reference> CudaReferences::make_kernelbench(const Task& task) {
  return module_reference(task, oracle::kernelbench_weights);
}

const std::shared_ptr<SharedOracle>& CudaReferences::oracle() {
  if (!python_) throw MachineCannot(no_python);
  if (!oracle_) {
    oracle_ = make_oracle(*python_, fmt::format("cuda:{}", facts_.index), device_exchange(facts_.index));
    oracle_->ran = oracle_ran_;
  }
  return oracle_;
}

std::unique_ptr<const verifier::Reference> CudaReferences::module_reference(const Task& task,
                                                                            const oracle::Weights& weights) {
  return std::make_unique<ModuleReference>(task, weights, oracle());
}

void CudaReferences::wait_until_done() const {
  cuda::check(cuda::driver().cuCtxSynchronize(), "the reference on the device");
}

std::string CudaReferences::baseline_name(const Task& task) const {
  if (task.module && !python_) throw MachineCannot(no_python);
  if (task.module)
    return fmt::format("eager torch {} (Python) on {}, {}", python_->torch_version, facts_.name,
                       compute_dtype_name(task));
  return fmt::format("eager LibTorch {} on {}, {}", verifier::torch_version(), facts_.name,
                     compute_dtype_name(task));
}

SamplingLimits CudaClocks::sampling(double cap) const {
  return device_sampling(cap);
}

Evidence CudaClocks::weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const {
  return weigh_on_device(pairs, overhead, facts_.clock);
}

double CudaClocks::seconds_a_call(const BatchPair& pair, const Overhead& overhead) const {
  return quotient_on_device(pair, overhead);
}

double CudaClocks::slope_a_call(const BatchPair& pair) const {
  return slope_on_device(pair);
}

void CudaTelemetry::find_counters() {
  const auto folders = cuda::cupti_folders();
  counting_ = {cuda::find_cupti(folders), cuda::counters_forbidden(), facts_.multiprocessor};
  if (!counting_.library) counting_.why_not = cuda::no_cupti_text(folders);
}

bool CudaTelemetry::sound() const {
  return cuda::driver().cuCtxSynchronize() == CUDA_SUCCESS;
}

double CudaTelemetry::response_seconds() {
  const double begin = profiler::wall_seconds();
  tools_.jobs().launch_empty_kernel();
  return profiler::wall_seconds() - begin;
}

double CudaTelemetry::interruption_of(const std::function<void()>& work) {
  watch_.begin();
  try {
    work();
  } catch (...) {
    watch_.end();  // or its kernel would run on beside what follows
    throw;
  }
  return watch_.end();
}

std::string CudaTelemetry::throttle_note() {
  const auto state = monitor_.now();
  if (!state || state->throttled.empty()) return {};
  return fmt::format("the device's clocks are held back ({}) at {:.0f} °C and {:.0f} W",
                     fmt::join(state->throttled, ", "), state->temperature, state->power);
}

const Ceilings& CudaTelemetry::ceilings() {
  if (!ceilings_) ceilings_ = measure_device_ceilings(facts_, tools_);
  return *ceilings_;
}

double CudaTelemetry::theoretical_bandwidth() {
  return facts_.theoretical_bandwidth > 0 ? facts_.theoretical_bandwidth : 1.5 * ceilings().bandwidth;
}

void CudaTelemetry::describe(protocol::Described& described) const {
  if (!monitor_.why_not().empty()) described.shortfalls.push_back("clocks and heat: " + monitor_.why_not());
  described.counters = {counting_.why_not.empty(), counting_.why_not};
  if (!counting_.why_not.empty()) described.shortfalls.push_back("hardware counters: " + counting_.why_not);
  if (ceilings_) described.ceilings = {*ceilings_};
}

}  // namespace ridgeline::judge
