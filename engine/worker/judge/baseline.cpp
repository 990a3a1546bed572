#include "engine/worker/judge/baseline.hpp"

#include "engine/worker/judge/timed_slots.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {

namespace {
constexpr double kMostDrift = 1.15;
constexpr int kCheckPairs = 3;
}  // namespace

std::string_view compute_dtype_name(const Task& task) {
  for (const auto* tensor : task.tensors())
    if (is_floating(tensor->dtype) || is_complex(tensor->dtype)) return to_string(tensor->dtype);
  return "integers";
}

std::optional<BatchTimes> BaselineCaller::call(std::size_t first, std::size_t count) {
  std::vector<std::vector<at::Tensor>> inputs;
  inputs.reserve(count);
  for (std::size_t slot = first; slot < first + count; ++slot)
    inputs.push_back(case_.timing_arena->view_inputs(slot));
  BatchTimes times;
  const double cpu = profiler::thread_cpu_seconds(), wall = profiler::wall_seconds();
  for (const auto& one : inputs) prepared_.reference().run(one, case_.definition());
  prepared_.backend().finish_reference();
  times.wall = profiler::wall_seconds() - wall;
  times.cpu = profiler::thread_cpu_seconds() - cpu;
  times.claimed = times.cpu;
  return times;
}

Duration to_duration(const Evidence& evidence, bool converged) {
  Duration duration;
  duration.samples = evidence.samples;
  duration.median = median(evidence.samples);
  const auto interval = median_interval(evidence.samples);
  duration.low = interval.low;
  duration.high = interval.high;
  duration.converged = converged;
  return duration;
}

double keep_baseline(PreparedTask& prepared, PreparedCase& one, const SamplingLimits& limits) {
  BaselineCaller caller(prepared, one);
  TimedSlots slots(prepared, one, nullptr);
  double drift = 1;
  auto full = limits;
  if (one.baseline) {
    auto brief = limits;
    brief.floor_samples = kCheckPairs;
    brief.cap_seconds = limits.cap_seconds / 10;
    brief.elapsed_seconds = limits.elapsed_seconds / 10;
    const auto check = prepared.backend().weigh(
        sample(caller, slots, brief, prepared.random(), profiler::wall_seconds).pairs, 0);
    if (check.samples.empty() || one.baseline->median <= 0) return 1;
    drift = median(check.samples) / one.baseline->median;
    if (drift < kMostDrift && drift > 1 / kMostDrift) return drift;
    full.elapsed_seconds = limits.elapsed_seconds / 2;  // a machine that drifts may do so at every candidate
  }
  const auto sampling = sample(caller, slots, full, prepared.random(), profiler::wall_seconds);
  auto measured =
      to_duration(prepared.backend().weigh(sampling.pairs, 0), sampling.end == SamplingEnd::enough);
  if (measured.median <= 0) return drift;
  one.reference_seconds = measured.median;
  one.baseline = std::move(measured);
  return drift;
}

}  // namespace ridgeline::judge
