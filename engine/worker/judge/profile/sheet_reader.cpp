#include "engine/worker/judge/profile/sheet_reader.hpp"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/core/counters.hpp"
#include "engine/core/kernel_name.hpp"

namespace ridgeline::judge {
namespace {

using runner::CounterSheet;

constexpr std::uint32_t kMostGrid[] = {0x7fffffff, 0xffff, 0xffff};  // blocks, CUDA's own limits
constexpr std::uint32_t kMostBlock = 1024;                           // threads
constexpr std::size_t kMostName = 200;                               // characters of a kernel's name

KernelLaunch from_sheet(const runner::SheetLaunch& launch) {
  KernelLaunch read;
  const std::string symbol(launch.kernel.data(), ::strnlen(launch.kernel.data(), launch.kernel.size()));
  read.kernel = launch.graph ? "" : kernel_name(symbol).substr(0, kMostName);
  for (std::size_t i = 0; i < 3; ++i) {
    read.grid[i] = std::min(launch.grid[i], kMostGrid[i]);
    read.block[i] = std::min(launch.block[i], kMostBlock);
  }
  read.registers = static_cast<int>(std::min<std::uint32_t>(launch.registers, 1024));
  read.shared = launch.shared;
  read.local = launch.local;
  return read;
}

}  // namespace

std::vector<SheetRows> read_sheet(const CounterSheet& shared, profiler::MetricSet set,
                                  std::span<const PassCall> calls, std::span<const std::size_t> not_alone,
                                  std::size_t cases) {
  const auto copied = std::make_unique<CounterSheet>();
  std::memcpy(copied.get(), &shared, sizeof shared);
  const auto& sheet = *copied;
  const auto& metrics = profiler::metrics_of(set);
  const std::size_t ranges = std::min<std::size_t>(sheet.range_count, runner::kMaxRanges);
  std::vector<SheetRows> rows(cases);
  for (std::size_t range = 0; range < ranges; ++range) {
    const std::size_t count = sheet.calls[range];
    if (count >= calls.size()) continue;
    auto values = profiler::to_metric_values(metrics, sheet.values[range].data());
    auto& row = rows[calls[count].at_case];
    if (calls[count].alone || !calls[count].by_launch) row.call = values;
    if (calls[count].by_launch) row.launches.emplace_back(sheet.launches[range], std::move(values));
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i].by_launch) continue;
    auto& row = rows[calls[i].at_case];
    row.launched = sheet.launch_counts[i];
    if (!calls[i].alone) continue;
    const bool still = std::ranges::find(not_alone, calls[i].at_case) == not_alone.end();
    if (row.launched == 1 && still) continue;
    row.call.reset();
    row.why_not = fmt::format(
        "its call was one launch at first, and when it was counted {}",
        row.launched == 1 ? "it had the device do more" : fmt::format("it launched {}", row.launched));
  }
  return rows;
}

CountedCall counted_call(profiler::MetricSet set, const SheetRows& rows, const std::string& case_name) {
  CountedCall counted{profiler::counters_of(set, *rows.call), {}, {}};
  counted.counters.push_back(
      {std::string(counter::kernels), static_cast<double>(rows.launched), Source::cupti});
  for (const auto& [copy, values] : rows.launches) {
    auto launch = from_sheet(copy);
    launch.case_name = case_name;
    profiler::set_measured(launch, values);
    counted.launches.push_back(std::move(launch));
  }
  return counted;
}

}  // namespace ridgeline::judge
