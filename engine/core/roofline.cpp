#include "engine/core/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/core/counters.hpp"
#include "engine/core/diagnosis.hpp"

namespace ridgeline {
namespace {

constexpr double latency_share = 0.10;  // below this on both axes neither roof explains the time

std::string_view unit_for(DType dtype) {
  switch (dtype) {
    case DType::float64:
    case DType::complex128:
      return "fp64";
    case DType::float16:
      return "fp16";
    case DType::bfloat16:
      return "bf16";
    case DType::int8:
    case DType::uint8:
      return "int8";
    default:
      return "fp32";
  }
}

/// From the shares to what they mean.
void judge_bound(Roofline& at) {
  at.efficiency = std::max(at.bandwidth_share, at.compute_share);
  if (at.efficiency < latency_share)
    at.bound = Bound::latency;
  else
    at.bound = at.bandwidth_share >= at.compute_share ? Bound::memory : Bound::compute;
}

std::string diagnose(const Roofline& at) {
  const auto times = at.roof_seconds > 0 ? at.seconds / at.roof_seconds : 0;
  const auto shares = fmt::format("{:.0f} % of memory bandwidth and {:.0f} % of peak operations",
                                  at.bandwidth_share * 100, at.compute_share * 100);
  switch (at.bound) {
    case Bound::memory:
      return fmt::format("Memory-bound at {:.1f}x the roofline's least time: {} ({:.2f} operations a byte).",
                         times, shares, at.intensity);
    case Bound::compute:
      return fmt::format("Compute-bound at {:.1f}x the roofline's least time: {} ({:.1f} operations a byte).",
                         times, shares, at.intensity);
    case Bound::latency:
      return fmt::format(
          "Neither roof explains the time ({:.1f}x the least): only {}; look for scalar code, "
          "dependent chains, poor locality or call overhead.",
          times, shares);
  }
  return {};
}

}  // namespace

double Ceilings::peak_of(std::string_view unit) const {
  for (const auto& peak : peaks)
    if (peak.unit == unit) return peak.operations_per_second;
  return 0;
}

double Ceilings::peak_for(DType dtype) const {
  const double own = peak_of(unit_for(dtype));
  return own > 0 ? own : peak_of("fp32");
}

double Ceilings::fastest_for(DType dtype) const {
  double fastest = peak_for(dtype);
  if (dtype == DType::float32)
    for (const char* unit : {"tf32", "fp16", "bf16"}) fastest = std::max(fastest, peak_of(unit) / 2);
  return fastest;
}

Roofline place_on_roofline(const Ceilings& ceilings, DType dtype, double bytes, double operations,
                           double seconds) {
  Roofline at;
  at.bytes = bytes;
  at.operations = operations;
  at.seconds = seconds;
  at.intensity = bytes > 0 ? operations / bytes : 0;
  const double peak = ceilings.peak_for(dtype);
  const double memory_time = ceilings.bandwidth > 0 ? bytes / ceilings.bandwidth : 0;
  const double compute_time = peak > 0 ? operations / peak : 0;
  at.roof_seconds = std::max(memory_time, compute_time);
  if (seconds > 0) {
    at.bandwidth_share = memory_time / seconds;
    at.compute_share = compute_time / seconds;
  }
  at.headroom_seconds = std::max(0.0, seconds - at.roof_seconds);
  judge_bound(at);
  at.diagnosis = diagnose(at);
  return at;
}

namespace {

/// The hardware's shares are of the time that it counted over, with what an instrumented call takes before
/// and after its kernels; those of the call itself are larger by as much as that time is longer.
void refer_to_call(std::vector<Counter>& counters, double seconds) {
  const auto counted = find_counter(counters, counter::gpu_seconds);
  if (!counted || seconds <= 0 || *counted <= seconds) return;
  for (auto& one : counters)
    if (one.name == counter::dram_share || one.name == counter::l2_share ||
        one.name == counter::tensor_share || one.name == counter::sm_active_share)
      one.value = std::min(1.0, one.value * *counted / seconds);
}

}  // namespace

Roofline place_counted(const Ceilings& ceilings, DType dtype, double needed_bytes, double needed_operations,
                       double seconds, std::vector<Counter> counters,
                       std::span<const KernelLaunch> launches) {
  auto at = place_on_roofline(ceilings, dtype, needed_bytes, needed_operations, seconds);
  refer_to_call(counters, seconds);
  if (const auto moved = dram_traffic(counters)) {
    at.bytes = *moved;
    at.bytes_source = Source::cupti;
    if (seconds > 0 && ceilings.bandwidth > 0) at.bandwidth_share = at.bytes / ceilings.bandwidth / seconds;
  }
  if (const auto done = operations_of(counters)) {
    at.operations = done->all;
    at.operations_source = Source::cupti;
    const double peak = peak_of_counter(ceilings, done->most);
    at.compute_share = seconds > 0 && peak > 0 ? done->all / peak / seconds : 0;
  }
  at.intensity = at.bytes > 0 ? at.operations / at.bytes : 0;
  judge_bound(at);
  at.counters.push_back({std::string(counter::needed_bytes), needed_bytes, Source::analytic});
  at.counters.push_back({std::string(counter::needed_operations), needed_operations, Source::analytic});
  at.counters.insert(at.counters.end(), std::make_move_iterator(counters.begin()),
                     std::make_move_iterator(counters.end()));
  at.diagnosis = diagnose_counted(at, ceilings, dtype, launches);
  return at;
}

double physics_floor(const Ceilings& ceilings, double bytes, double theoretical_bandwidth) {
  const double beyond_cache = bytes - ceilings.cache_bytes;
  return beyond_cache > 0 && theoretical_bandwidth > 0 ? beyond_cache / theoretical_bandwidth : 0;
}

}  // namespace ridgeline
