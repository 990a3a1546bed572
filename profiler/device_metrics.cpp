#include "profiler/device_metrics.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/core/counters.hpp"

namespace ridgeline::profiler {
namespace {

constexpr std::string_view kTime = "gpu__time_duration.sum";  // nanoseconds
constexpr std::string_view kCycles = "gpc__cycles_elapsed.max";
constexpr std::string_view kDramRead = "dram__bytes_read.sum";
constexpr std::string_view kDramWrite = "dram__bytes_write.sum";
constexpr std::string_view kDramShare = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kL2 = "lts__t_bytes.sum";
constexpr std::string_view kStored[] = {"lts__t_sectors_op_write.sum", "lts__t_sectors_op_red.sum",
                                        "lts__t_sectors_op_atom.sum"};
constexpr double kSectorBytes = 32;
constexpr std::string_view kL2Share = "lts__t_sectors.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kL1 = "l1tex__t_bytes.sum";
constexpr std::string_view kOccupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr std::string_view kBusy = "sm__cycles_active.avg";
constexpr std::string_view kBlocks = "sm__ctas_launched.sum";
constexpr std::string_view kWarps = "smsp__warps_active.sum";  // cycles, summed over warps
constexpr std::string_view kIssue = "smsp__issue_active.avg.pct_of_peak_sustained_active";
constexpr std::string_view kTensorShare = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kTensor = "sm__inst_executed_pipe_tensor.sum";
constexpr std::string_view kLoadSectors = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
constexpr std::string_view kStoreSectors = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio";
constexpr std::string_view kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr std::string_view kWavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";

// No call counts less or more. Sums, products and quotients of such values are finite: a candidate that wrote
// 1e308 sectors once made an infinite number of bytes, which no reader of a verdict takes.
constexpr double kLeastValue = 1e-9, kMostValue = 1e18;

/// The stall reasons that are counted. The others are rare, and every three more cost a pass. Warps wait for
/// gmma, a product on the tensor pipe, only where there is one; to be not selected is no loss, and nobody is
/// told of it.
constexpr std::string_view kGmma = "gmma", kNotSelected = "not_selected";
constexpr std::string_view kStalls[] = {"long_scoreboard",    "short_scoreboard", "barrier",      "wait",
                                        "math_pipe_throttle", "lg_throttle",      "mio_throttle", kGmma,
                                        kNotSelected};

/// Counts thread instructions, and the operations that one of them performs: a fused multiply-add 2, a pair
/// of halves twice as many.
struct Arithmetic {
  std::string_view name, counter;
  double operations;
};
constexpr Arithmetic kArithmetic[] = {
    {"fadd", counter::fp32_operations, 1}, {"fmul", counter::fp32_operations, 1},
    {"ffma", counter::fp32_operations, 2}, {"hadd", counter::fp16_operations, 2},
    {"hmul", counter::fp16_operations, 2}, {"hfma", counter::fp16_operations, 4},
    {"dadd", counter::fp64_operations, 1}, {"dmul", counter::fp64_operations, 1},
    {"dfma", counter::fp64_operations, 2}};

/// A kind of matrix product on the tensor pipe, which the hardware counts in operations.
struct Product {
  std::string_view metric, counter;
};
constexpr Product kProducts[] = {
    {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", counter::tensor_bf16_operations},
    {"sm__ops_path_tensor_src_fp16.sum", counter::tensor_fp16_operations},
    {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", counter::tensor_tf32_operations},
    {"sm__ops_path_tensor_src_fp64.sum", counter::tensor_fp64_operations},
    {"sm__ops_path_tensor_src_int8.sum", counter::tensor_int8_operations},
    {"sm__ops_path_tensor_src_fp8.sum", counter::tensor_fp8_operations}};
/// Those that take a pass or two more each, and that no candidate performs without naming the type.
constexpr std::string_view kNarrow[] = {counter::tensor_bf16_operations, counter::tensor_fp16_operations,
                                        counter::tensor_int8_operations};
/// Parts of words that name a narrow type, in small letters: half, __half, float16, f16, fp16; bf16,
/// bfloat16; int8, uint8, s8, u8, char, byte; autocast, and float32_matmul_precision("medium"), which is
/// bfloat16. Where one stands by chance, more is counted than must be.
constexpr std::string_view kNarrowWords[] = {"half", "f16", "fp16",     "float16", "bf",     "int8",
                                             "s8",   "u8",  "autocast", "char",    "medium", "byte"};

std::string stall_metric(std::string_view reason) {
  return "smsp__warps_issue_stalled_" + std::string(reason) + ".sum";
}

std::string arithmetic_metric(std::string_view name) {
  return "smsp__sass_thread_inst_executed_op_" + std::string(name) + "_pred_on.sum";
}

/// Every metric but those of products: plain sets are parts of this.
std::vector<std::string> all_but_products() {
  std::vector<std::string> metrics;
  for (const auto metric :
       {kTime, kCycles, kDramRead, kDramWrite, kDramShare, kL2, kL2Share, kL1, kOccupancy, kBusy, kBlocks,
        kWarps, kIssue, kTensorShare, kLoadSectors, kStoreSectors, kConflicts, kWavefronts})
    metrics.emplace_back(metric);
  metrics.insert(metrics.end(), std::begin(kStored), std::end(kStored));
  for (const auto reason : kStalls) metrics.push_back(stall_metric(reason));
  for (const auto& operation : kArithmetic) metrics.push_back(arithmetic_metric(operation.name));
  return metrics;
}

std::vector<std::string> make_metrics(MetricSet set) {
  auto metrics = all_but_products();
  if (set != MetricSet::all && set != MetricSet::all_plain) std::erase(metrics, stall_metric(kNotSelected));
  switch (set) {
    case MetricSet::all_plain:
      return metrics;
    case MetricSet::plain:
      std::erase(metrics, stall_metric(kGmma));
      std::erase(metrics, kTensorShare);
      return metrics;
    case MetricSet::brief:
      std::erase_if(metrics, [](const auto& metric) { return metric.starts_with("smsp__sass_"); });
      return metrics;
    case MetricSet::tensor:
    case MetricSet::narrow_tensor:
    case MetricSet::all:
      break;
  }
  // First, since the order decides how metrics share passes: added last, it takes one more pass.
  metrics.emplace(metrics.begin(), kTensor);
  for (const auto& product : kProducts)
    if (set != MetricSet::tensor || std::ranges::find(kNarrow, product.counter) == std::end(kNarrow))
      metrics.emplace_back(product.metric);
  return metrics;
}

bool names_narrow_type(std::string_view source) {
  std::string small(source);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::any_of(kNarrowWords,
                             [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

std::optional<double> find(const MetricValues& values, std::string_view metric) {
  const auto found = values.find(metric);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

/// Bytes written to the L2, which counts whole sectors; atomics are writes too.
std::optional<double> stored(const MetricValues& values) {
  double sectors = 0;
  for (const auto metric : kStored) {
    const auto count = find(values, metric);
    if (!count) return std::nullopt;
    sectors += *count;
  }
  return sectors * kSectorBytes;
}

/// Collects counters, and skips those whose metrics were not counted.
class Translation {
 public:
  explicit Translation(const MetricValues& from) : from_(from) {}

  void add(std::string_view name, double value) {
    counters_.push_back({std::string(name), value, Source::cupti});
  }
  void copy(std::string_view metric, std::string_view name, double factor = 1) {
    if (const auto value = find(from_, metric)) add(name, *value * factor);
  }
  void divide(std::string_view metric, std::string_view by, std::string_view name) {
    const auto value = find(from_, metric), whole = find(from_, by);
    if (value && whole && *whole > 0) add(name, *value / *whole);
  }
  void arithmetic() {
    std::map<std::string_view, double> sums;
    for (const auto& operation : kArithmetic)
      if (const auto count = find(from_, arithmetic_metric(operation.name)))
        sums[operation.counter] += *count * operation.operations;
    for (const auto& [name, operations] : sums) add(name, operations);
  }
  void stalls() {
    for (const auto reason : kStalls)
      divide(stall_metric(reason), kWarps, std::string(counter::stall_prefix) + std::string(reason));
  }
  std::vector<Counter> take() { return std::move(counters_); }

 private:
  const MetricValues& from_;
  std::vector<Counter> counters_;
};

}  // namespace

const std::vector<std::string>& metrics_of(MetricSet set) {
  static const auto made = [] {
    std::array<std::vector<std::string>, std::size(metric_sets)> sets;
    for (const auto one : metric_sets) sets.at(static_cast<std::size_t>(one)) = make_metrics(one);
    return sets;
  }();
  return made.at(static_cast<std::size_t>(set));
}

MetricSet metrics_for(const Candidate& candidate, DType dtype, bool everything) {
  if (traits(candidate.language).syntax == Syntax::c && candidate.source.find("mma") == std::string::npos)
    return everything ? MetricSet::all_plain : MetricSet::plain;
  if (everything) return MetricSet::all;
  const bool wide = dtype == DType::float32 || dtype == DType::float64;
  return wide && !names_narrow_type(candidate.source) ? MetricSet::tensor : MetricSet::narrow_tensor;
}

MetricValues to_metric_values(const std::vector<std::string>& metrics, const double* values) {
  MetricValues paired;
  for (std::size_t i = 0; i < metrics.size(); ++i)
    // CUPTI gives NaN or negative numbers for a counter that overflowed or was not collected.
    if (values[i] == 0 || (values[i] >= kLeastValue && values[i] <= kMostValue))
      paired[metrics[i]] = values[i];
  return paired;
}

std::vector<Counter> counters_of(MetricSet set, const MetricValues& call) {
  Translation translation(call);
  translation.copy(kTime, counter::gpu_seconds, 1e-9);
  translation.copy(kCycles, counter::cycles);
  translation.copy(kBlocks, counter::blocks);
  translation.copy(kDramRead, counter::dram_read_bytes);
  translation.copy(kDramWrite, counter::dram_write_bytes);
  translation.copy(kL2, counter::l2_bytes);
  if (const auto bytes = stored(call)) translation.add(counter::l2_write_bytes, *bytes);
  translation.copy(kL1, counter::l1_bytes);
  translation.copy(kDramShare, counter::dram_share, 0.01);
  translation.copy(kL2Share, counter::l2_share, 0.01);
  translation.copy(kLoadSectors, counter::load_bytes_per_sector);
  translation.copy(kStoreSectors, counter::store_bytes_per_sector);
  translation.divide(kConflicts, kWavefronts, counter::bank_conflict_share);
  translation.arithmetic();
  translation.copy(kTensor, counter::tensor_instructions);
  for (const auto& product : kProducts) translation.copy(product.metric, product.counter);
  translation.copy(kTensorShare, counter::tensor_share, 0.01);
  translation.copy(kIssue, counter::issue_share, 0.01);
  translation.divide(kBusy, kCycles, counter::sm_active_share);
  translation.copy(kOccupancy, counter::achieved_occupancy, 0.01);
  translation.stalls();
  auto counters = translation.take();
  // The source contains no matrix product, so the count is 0. (The chip's own count is not: some double
  // arithmetic passes through that pipe.)
  if ((set == MetricSet::plain || set == MetricSet::all_plain) && !counters.empty())
    counters.push_back({std::string(counter::tensor_instructions), 0, Source::analytic});
  return counters;
}

void set_measured(KernelLaunch& launch, const MetricValues& kernel) {
  launch.seconds = find(kernel, kTime).value_or(0) * 1e-9;
  // DRAM also writes back lines of earlier kernels, so the bytes that this kernel stored bound its share.
  const double written = find(kernel, kDramWrite).value_or(0);
  launch.dram_bytes =
      find(kernel, kDramRead).value_or(0) + std::min(written, stored(kernel).value_or(written));
  launch.achieved_occupancy = find(kernel, kOccupancy).value_or(0) * 0.01;
}

}  // namespace ridgeline::profiler
