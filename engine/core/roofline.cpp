#include "engine/core/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

constexpr double latency_share = 0.10;  // below this on both axes neither roof explains the time

std::string_view unit_for(DType dtype) {
  switch (dtype) {
    case DType::float64:
    case DType::complex128:
      return "fp64";
    case DType::int8:
    case DType::uint8:
      return "int8";
    default:
      return "fp32";
  }
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

double Ceilings::peak_for(DType dtype) const {
  const auto wanted = unit_for(dtype);
  double fallback = 0;
  for (const auto& peak : peaks) {
    if (peak.unit == wanted) return peak.operations_per_second;
    if (peak.unit == "fp32") fallback = peak.operations_per_second;
  }
  return fallback;
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
  at.efficiency = std::max(at.bandwidth_share, at.compute_share);
  at.headroom_seconds = std::max(0.0, seconds - at.roof_seconds);
  if (at.efficiency < latency_share)
    at.bound = Bound::latency;
  else
    at.bound = memory_time >= compute_time ? Bound::memory : Bound::compute;
  at.diagnosis = diagnose(at);
  return at;
}

double physics_floor(const Ceilings& ceilings, double bytes, double theoretical_bandwidth) {
  const double beyond_cache = bytes - ceilings.cache_bytes;
  return beyond_cache > 0 && theoretical_bandwidth > 0 ? beyond_cache / theoretical_bandwidth : 0;
}

}  // namespace ridgeline
