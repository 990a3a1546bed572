#include "engine/worker/judge/device_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/core/counters.hpp"
#include "engine/core/error.hpp"
#include "engine/core/kernel_name.hpp"
#include "engine/worker/judge/timed_slots.hpp"

namespace ridgeline::judge {
namespace {

using profiler::MetricSet;
using runner::Answer;
using runner::CounterSheet;
using runner::Reply;

constexpr MetricSet kSets[] = {MetricSet::call, MetricSet::kernels, MetricSet::products};
/// Whether runners put out of the L2 what was left there before each counted call. Without, up to half the L2
/// of lines that others wrote are written back under the call's eyes.
constexpr bool kEmptyL2 = true;
constexpr double kPrepareLimit = 20;  // seconds; the first configuration on a chip takes a fifth of one
constexpr double kLoadLimit = 10;
constexpr double kModuleLoadLimit = 60;
constexpr double kMapLimit = 10;
constexpr std::uint32_t kMostPasses = 40;                            // no chip needs as many
constexpr std::uint32_t kMostGrid[] = {0x7fffffff, 0xffff, 0xffff};  // blocks, as CUDA has it
constexpr std::uint32_t kMostBlock = 1024;                           // threads
constexpr std::size_t kMostName = 200;  // characters of a kernel's name that are kept

const CounterSheet& on(const MemoryFile& sheet) {
  return *reinterpret_cast<const CounterSheet*>(sheet.data());
}

KernelLaunch from_sheet(const runner::SheetLaunch& launch) {
  KernelLaunch one;
  const std::string symbol(launch.kernel.data(), ::strnlen(launch.kernel.data(), launch.kernel.size()));
  one.kernel = launch.graph ? "" : kernel_name(symbol).substr(0, kMostName);
  for (std::size_t i = 0; i < 3; ++i) {
    one.grid[i] = std::min(launch.grid[i], kMostGrid[i]);
    one.block[i] = std::min(launch.block[i], kMostBlock);
  }
  one.registers = static_cast<int>(std::min<std::uint32_t>(launch.registers, 1024));
  one.shared = launch.shared;
  one.local = launch.local;
  return one;
}

}  // namespace

MemoryFile CounterConfigs::sheet_for(MetricSet set) const {
  MemoryFile file(sizeof(CounterSheet));
  auto& sheet = *reinterpret_cast<CounterSheet*>(file.data());
  const auto& metrics = profiler::metrics_of(set);
  sheet.metrics = static_cast<std::uint32_t>(std::min(metrics.size(), runner::kMaxMetrics));
  sheet.ranges = set == MetricSet::kernels ? runner::CountedRanges::kernels : runner::CountedRanges::call;
  for (std::size_t i = 0; i < sheet.metrics; ++i)
    metrics[i].copy(sheet.names[i].data(), sheet.names[i].size() - 1);
  sheet.empty_l2 = kEmptyL2 ? 1 : 0;
  const auto& made = at(set);
  sheet.config_bytes = made.image.size();
  sheet.passes = made.passes;
  std::copy(made.image.begin(), made.image.end(), sheet.config.begin());
  std::copy(made.unknown.begin(), made.unknown.end(), sheet.unknown.begin());
  return file;
}

void CounterConfigs::keep(MetricSet set, const MemoryFile& sheet) {
  auto& config = configs_[static_cast<std::size_t>(set)];
  if (!config.image.empty()) return;
  const auto& made = on(sheet);
  const auto bytes = std::min<std::size_t>(made.config_bytes, made.config.size());
  config.image.assign(made.config.begin(), made.config.begin() + static_cast<std::ptrdiff_t>(bytes));
  config.passes = std::min(made.passes, kMostPasses);
  config.unknown.assign(made.unknown.begin(),
                        made.unknown.begin() + static_cast<std::ptrdiff_t>(profiler::metrics_of(set).size()));
}

std::vector<std::string> CounterConfigs::unknown() const {
  std::vector<std::string> names;
  for (const auto set : kSets)
    for (std::size_t i = 0; i < at(set).unknown.size(); ++i) {
      const auto& name = profiler::metrics_of(set)[i];
      if (at(set).unknown[i] && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  return names;
}

DeviceCounters::DeviceCounters(RunnerStock& runners, CounterConfigs& configs,
                               const std::filesystem::path& artefact, double call_limit, RunnerKind kind)
    : configs_(configs), call_limit_(call_limit) {
  try {
    runner_ = runners.take(kind);
  } catch (const MachineCannot& error) {
    why_not_ = error.what();
    return;
  }
  for (const auto set : kSets) {
    sheets_.push_back(configs_.sheet_for(set));
    if (!good(runner_->profile(static_cast<std::uint32_t>(set), sheets_.back(), kPrepareLimit), "preparing"))
      return;
    configs_.keep(set, sheets_.back());
    swept_ = on(sheets_.back()).empty_l2 != 0;
  }
  good(runner_->load(artefact, runner_->interpreter() ? kModuleLoadLimit : kLoadLimit),
       "loading the candidate again");
}

std::vector<CountedCall> DeviceCounters::count(PreparedTask& prepared, std::span<PreparedCase* const> cases) {
  std::vector<CountedCall> counted;
  for (auto* one : cases) counted.push_back(whole_call(prepared, *one));
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (counted[i].why_not.empty()) add_kernels(prepared, *cases[i], counted[i]);
  return counted;
}

CountedCall DeviceCounters::whole_call(PreparedTask& prepared, PreparedCase& one) {
  CountedCall counted;
  const auto give_up = [&] {
    counted.why_not = why_not_.empty() ? "nothing was counted" : why_not_;
    return counted;
  };
  if (!map(one) || !warm_up(prepared, one) || !run_set(prepared, one, MetricSet::call)) return give_up();
  const auto call = values_of(MetricSet::call);
  if (call.empty()) return give_up();

  profiler::MetricValues products;
  const auto tensor = find_counter(profiler::counters_of(call.front(), {}), counter::tensor_instructions);
  if (tensor.value_or(0) > 0) {
    if (!run_set(prepared, one, MetricSet::products)) return give_up();
    if (const auto values = values_of(MetricSet::products); !values.empty()) products = values.front();
  }
  counted.counters = profiler::counters_of(call.front(), products);
  return counted;
}

/// One more look at the same call: without it the counters of the whole stand all the same.
void DeviceCounters::add_kernels(PreparedTask& prepared, PreparedCase& one, CountedCall& counted) {
  if (!map(one) || !run_set(prepared, one, MetricSet::kernels)) return;
  const auto& sheet = on(sheets_[static_cast<std::size_t>(MetricSet::kernels)]);
  const std::uint32_t launched = sheet.launch_count;
  counted.counters.push_back({std::string(counter::kernels), static_cast<double>(launched), Source::cupti});
  const auto kernels = values_of(MetricSet::kernels);
  if (kernels.size() != std::min<std::size_t>(launched, runner::kMaxRanges)) return;  // graphs, mostly
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const runner::SheetLaunch copy = sheet.launches[i];
    auto launch = from_sheet(copy);
    launch.case_name = one.definition().name;
    profiler::fill_in(launch, kernels[i]);
    counted.launches.push_back(std::move(launch));
  }
}

/// Each map gives up the one before.
bool DeviceCounters::map(PreparedCase& one) {
  if (!why_not_.empty() || !one.timing_arena) return false;
  if (mapped_ == &one) return true;
  mapped_ = nullptr;
  if (!good(runner_->map(*one.timing_arena, kMapLimit), "mapping the arguments")) return false;
  mapped_ = &one;
  return true;
}

bool DeviceCounters::run_set(PreparedTask& prepared, PreparedCase& one, MetricSet set) {
  for (std::uint32_t i = 0; i < configs_.passes(set); ++i)
    if (!pass(prepared, one, set)) return false;
  return good(runner_->report(static_cast<std::uint32_t>(set), call_limit_ + kMapLimit),
              "reading the counters");
}

/// Fresh inputs, poisoned outputs, cold caches: every pass sees the call that was timed.
bool DeviceCounters::refill(PreparedTask& prepared, PreparedCase& one) {
  TimedSlots slots(prepared, one, runner_.get());
  return slots.prepare(1, /*cold=*/true) ||
         (slots.refused() && good(*slots.refused(), "arranging the arguments"));
}

/// A first call loads the kernel's code, which is no work of the kernel's.
bool DeviceCounters::warm_up(PreparedTask& prepared, PreparedCase& one) {
  return refill(prepared, one) && good(runner_->call(0, 1, call_limit_ + kMapLimit).answer, "a first call");
}

bool DeviceCounters::pass(PreparedTask& prepared, PreparedCase& one, MetricSet set) {
  if (!refill(prepared, one)) return false;
  return good(runner_->count(static_cast<std::uint32_t>(set), 0, 1, call_limit_ + kMapLimit),
              "a counted call");
}

bool DeviceCounters::good(const RunnerAnswer& answer, const char* when) {
  const auto* reply = std::get_if<Reply>(&answer);
  if (reply && reply->answer == Answer::ok) return true;
  if (reply)
    why_not_ = fmt::format("{}: {}", when, std::string(reply->text.data(), reply->text_bytes));
  else
    why_not_ = fmt::format("{}: the runner ended ({})", when, describe(std::get<RunnerEnd>(answer).outcome));
  return false;
}

/// Of each range. Copied before it is looked at: the candidate's process may still write.
std::vector<profiler::MetricValues> DeviceCounters::values_of(MetricSet set) const {
  const auto& sheet = on(sheets_[static_cast<std::size_t>(set)]);
  const auto& metrics = profiler::metrics_of(set);
  const std::size_t ranges = std::min<std::size_t>(sheet.range_count, runner::kMaxRanges);
  std::vector<profiler::MetricValues> values;
  for (std::size_t range = 0; range < ranges; ++range) {
    const auto copy = sheet.values[range];
    values.push_back(profiler::pair_up(metrics, copy.data()));
  }
  return values;
}

}  // namespace ridgeline::judge
