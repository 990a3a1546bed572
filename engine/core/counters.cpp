#include "engine/core/counters.hpp"

#include <algorithm>

namespace ridgeline {
namespace {

/// Which peak the operations of a counter are compared with.
struct Unit {
  std::string_view counter, peak;
  std::string_view stand_in = {};  // twice this one, where the peak itself was not measured
  bool tensor = false;
};
constexpr Unit kUnits[] = {
    {counter::fp32_operations, "fp32"},
    {counter::fp16_operations, "", "fp32"},
    {counter::fp64_operations, "fp64"},
    {counter::tensor_bf16_operations, "bf16", {}, true},
    {counter::tensor_fp16_operations, "fp16", {}, true},
    {counter::tensor_tf32_operations, "tf32", {}, true},
    {counter::tensor_fp64_operations, "fp64", {}, true},
    {counter::tensor_int8_operations, "int8", {}, true},
    {counter::tensor_fp8_operations, "fp8", "fp16", true},
};

}  // namespace

std::optional<double> find_counter(std::span<const Counter> counters, std::string_view name) {
  for (const auto& one : counters)
    if (one.name == name) return one.value;
  return std::nullopt;
}

std::optional<double> dram_traffic(std::span<const Counter> counters) {
  const auto read = find_counter(counters, counter::dram_read_bytes);
  const auto written = find_counter(counters, counter::dram_write_bytes);
  if (!read || !written) return std::nullopt;
  // Dirty lines of earlier work are written back during the call. The call wrote no more to the DRAM than it
  // stored into the L2.
  return *read + std::min(*written, find_counter(counters, counter::l2_write_bytes).value_or(*written));
}

std::optional<Counter> longest_stall(std::span<const Counter> counters) {
  std::optional<Counter> longest;
  for (const auto& one : counters)
    if (one.name.starts_with(counter::stall_prefix) && one.name != counter::stall_not_selected &&
        (!longest || one.value > longest->value))
      longest = one;
  return longest;
}

std::optional<CountedOperations> operations_of(std::span<const Counter> counters) {
  CountedOperations operations;
  double most = -1, tensor = 0;
  for (const auto& unit : kUnits) {
    const auto value = find_counter(counters, unit.counter);
    if (!value) continue;
    operations.all += *value;
    if (unit.tensor) tensor += *value;
    if (*value > most) {
      most = *value;
      operations.most = unit.counter;
    }
  }
  if (most < 0) return std::nullopt;
  // Instructions without operations: the chip has no counter for their precision, so the sum would be too
  // small.
  if (tensor == 0 && find_counter(counters, counter::tensor_instructions).value_or(0) > 0)
    return std::nullopt;
  return operations;
}

double peak_of_counter(const Ceilings& ceilings, std::string_view name) {
  for (const auto& unit : kUnits) {
    if (unit.counter != name) continue;
    const double own = ceilings.peak_of(unit.peak);
    return own > 0 || unit.stand_in.empty() ? own : 2 * ceilings.peak_of(unit.stand_in);
  }
  return 0;
}

}  // namespace ridgeline
