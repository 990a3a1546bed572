#include "engine/core/roofline.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/core/counters.hpp"

namespace ridgeline {
namespace {

// A call that uses less than a tenth of both limits is bound by neither: launches, dependent chains.
constexpr double latency_share = 0.10;
// A ceiling and a time each err by a few per cent. Within that, a share over 1 is noise and stays as it is.
constexpr double measuring_error = 1.05;

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

/// Fills efficiency and bound from the shares.
void judge_bound(Roofline& at) {
  at.efficiency = std::max(at.bandwidth_share, at.compute_share);
  if (at.efficiency < latency_share)
    at.bound = Bound::latency;
  else
    at.bound = at.bandwidth_share >= at.compute_share ? Bound::memory : Bound::compute;
}

/// Returns the seconds that one level needs for the traffic. A level reads and writes at different rates, and
/// neither at full rate while it does both, so the slowest of the three limits holds.
double level_seconds(const MemoryLevel& level, const Traffic& traffic) {
  const auto over = [](double bytes, double bandwidth) { return bandwidth > 0 ? bytes / bandwidth : 0; };
  return std::max({over(traffic.read, level.read), over(traffic.written, level.written),
                   over(traffic.sum(), level.both)});
}

/// Returns the part of the operands' bytes that a call touches: a gather reads a few rows of a large table,
/// and the definition's count of bytes says how many.
double touched(const Work& work) {
  const double all = work.read + work.written + 2 * work.updated;  // updated: read and written back
  return all > work.bytes && work.bytes > 0 ? work.bytes / all : 1;
}

/// Keeps a share that measuring errors explain. Beyond them the count is no bound, and the call is at its
/// roof.
double bounded(double share) {
  return share <= measuring_error ? share : 1;
}

/// The seconds that memory and arithmetic each need for the work at least.
struct LeastTimes {
  double memory, compute;
};

LeastTimes least_times(const Ceilings& ceilings, DType dtype, const Work& work) {
  const double peak = ceilings.peak_for(dtype);
  return {memory_seconds(ceilings, cold_traffic(ceilings, work)), peak > 0 ? work.operations / peak : 0};
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

Traffic cold_traffic(const Ceilings& ceilings, const Work& work) {
  if (work.operands() <= 0) return {.read = work.bytes};
  const double part = touched(work);
  const bool stays = part * work.operands() <= ceilings.cache_bytes;
  return {.read = part * (work.read + work.updated),
          .written = part * (work.written + (stays ? 0 : work.updated))};
}

double memory_seconds(const Ceilings& ceilings, const Traffic& traffic) {
  if (!ceilings.levels.empty()) return level_seconds(ceilings.levels.back(), traffic);
  return ceilings.bandwidth > 0 ? traffic.sum() / ceilings.bandwidth : 0;
}

Roofline place_on_roofline(const Ceilings& ceilings, DType dtype, const Work& work, double seconds) {
  const auto traffic = cold_traffic(ceilings, work);
  Roofline at;
  at.bytes = traffic.sum();
  at.operations = work.operations;
  at.seconds = seconds;
  at.intensity = at.bytes > 0 ? at.operations / at.bytes : 0;
  const auto least = least_times(ceilings, dtype, work);
  at.roof_seconds = std::max(least.memory, least.compute);
  if (seconds > 0) {
    at.bandwidth_share = bounded(least.memory / seconds);
    at.compute_share = bounded(least.compute / seconds);
  }
  judge_bound(at);
  // A call that did part of the work was not faster than physics: its own time is the best bound there is.
  if (part_in_time(at, ceilings, dtype, work) < 1) at.roof_seconds = seconds;
  at.headroom_seconds = std::max(0.0, seconds - at.roof_seconds);
  return at;
}

double part_in_time(const Roofline& placed, const Ceilings& ceilings, DType dtype, const Work& work) {
  const auto least = least_times(ceilings, dtype, work);
  const double nearer = placed.bound == Bound::compute ? least.compute : least.memory;
  return placed.seconds > 0 && nearer > measuring_error * placed.seconds ? placed.seconds / nearer : 1;
}

Roofline place_on_roofline(const Ceilings& ceilings, DType dtype, double bytes, double operations,
                           double seconds) {
  return place_on_roofline(ceilings, dtype, Work{.operations = operations, .bytes = bytes}, seconds);
}

std::optional<CachePlace> place_in_caches(const Ceilings& ceilings, const Work& work, double resident,
                                          double seconds) {
  if (ceilings.levels.empty() || resident <= 0 || seconds <= 0 || work.operands() <= 0) return std::nullopt;
  const double part = touched(work);
  const Traffic traffic{.read = part * (work.read + work.updated),
                        .written = part * (work.written + work.updated)};
  CachePlace place;
  double least = 0, held = 0;  // bytes of the nearer levels
  for (const auto& level : ceilings.levels) {
    // Bytes up to a level's size are served at its rate, those beyond by the next one.
    const double until = level.bytes > 0 ? std::min(level.bytes, resident) : resident;
    if (until <= held) continue;
    least += level_seconds(level, traffic) * (until - held) / resident;
    held = until;
    place.level = level.name;
  }
  place.share = std::min(1.0, least / seconds);
  return place;
}

namespace {

/// Rescales the hardware's shares to the judge's time of the call. The hardware divides by the time that it
/// counted over, which includes what an instrumented call does before and after its kernels.
void rescale_shares(std::vector<Counter>& counters, double seconds) {
  const auto counted = find_counter(counters, counter::gpu_seconds);
  if (!counted || seconds <= 0 || *counted <= seconds) return;
  for (auto& one : counters)
    if (one.name == counter::dram_share || one.name == counter::l2_share ||
        one.name == counter::tensor_share || one.name == counter::sm_active_share)
      one.value = std::min(1.0, one.value * *counted / seconds);
}

}  // namespace

Roofline place_counted(const Ceilings& ceilings, DType dtype, double needed_bytes, double needed_operations,
                       double seconds, std::vector<Counter> counters) {
  auto at = place_on_roofline(ceilings, dtype, needed_bytes, needed_operations, seconds);
  rescale_shares(counters, seconds);
  // Counted traffic says how busy the memory was; only the needed bytes say how fast the call could be.
  if (const auto moved = dram_traffic(counters)) {
    at.bytes = *moved;
    at.bytes_source = Source::cupti;
    if (seconds > 0 && ceilings.bandwidth > 0)
      at.bandwidth_share = std::min(1.0, at.bytes / ceilings.bandwidth / seconds);
  }
  if (const auto done = operations_of(counters)) {
    at.operations = done->all;
    at.operations_source = Source::cupti;
    const double peak = peak_of_counter(ceilings, done->most);
    at.compute_share = seconds > 0 && peak > 0 ? std::min(1.0, done->all / peak / seconds) : 0;
  }
  at.intensity = at.bytes > 0 ? at.operations / at.bytes : 0;
  judge_bound(at);
  at.counters.push_back({std::string(counter::needed_bytes), needed_bytes, Source::analytic});
  at.counters.push_back({std::string(counter::needed_operations), needed_operations, Source::analytic});
  at.counters.insert(at.counters.end(), std::make_move_iterator(counters.begin()),
                     std::make_move_iterator(counters.end()));
  return at;
}

double physics_floor(const Ceilings& ceilings, double bytes, double theoretical_bandwidth) {
  const double beyond_cache = bytes - ceilings.cache_bytes;
  return beyond_cache > 0 && theoretical_bandwidth > 0 ? beyond_cache / theoretical_bandwidth : 0;
}

}  // namespace ridgeline
