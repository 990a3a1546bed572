// A counter sheet that a candidate's process wrote, up to what the verdict says about it: counters, launches,
// a place on the roofline, and a diagnosis.
#include <cmath>
#include <cstring>
#include <memory>

#include "engine/core/counter_doubts.hpp"
#include "engine/core/counters.hpp"
#include "engine/core/diagnosis.hpp"
#include "engine/core/occupancy.hpp"
#include "engine/core/roofline.hpp"
#include "engine/worker/judge/profile/kernel_time.hpp"
#include "engine/worker/judge/profile/sheet_reader.hpp"
#include "prompts/words/diagnosis_text.hpp"
#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/fuzz/verdict_way.hpp"

namespace ridgeline::fuzz {
namespace {

using namespace judge;
using runner::CounterSheet;

constexpr std::size_t kCases = 2;
constexpr std::size_t kRows = 6;  // ranges that an input writes; a sheet has more of the same
constexpr double kSeconds = 1e-5;

std::vector<PassCall> taken_calls(Bytes& bytes) {
  std::vector<PassCall> calls;
  for (std::size_t i = 0; i < kCases; ++i) {
    const bool alone = bytes.below(2) == 1;
    if (!alone) calls.push_back({i, false, false});
    calls.push_back({i, true, alone});
  }
  return calls;
}

void take_launch(Bytes& bytes, runner::SheetLaunch& launch) {
  const auto name = bytes.text(bytes.below(runner::kMaxKernelName + 1));
  name.copy(launch.kernel.data(), launch.kernel.size());
  for (auto* sizes : {&launch.grid, &launch.block})
    for (auto& size : *sizes) size = bytes.number<std::uint32_t>();
  launch.registers = bytes.number<std::uint32_t>();
  launch.shared = bytes.number<std::uint32_t>();
  launch.local = bytes.number<std::uint32_t>();
  launch.graph = bytes.take<std::uint8_t>() % 4 == 3 ? 1 : 0;
}

std::unique_ptr<CounterSheet> taken_sheet(Bytes& bytes, std::size_t metrics) {
  auto sheet = std::make_unique<CounterSheet>();
  // Mostly no more than are written: each further row takes time and says nothing new.
  const auto ranges = bytes.number<std::uint32_t>();
  sheet->range_count = ranges < 128 ? ranges % (kRows + 1) : ranges;
  for (std::size_t call = 0; call < 2 * kCases; ++call)
    sheet->launch_counts[call] = bytes.number<std::uint32_t>();
  for (std::size_t row = 0; row < kRows; ++row) {
    sheet->calls[row] = bytes.number<std::uint32_t>();
    if (bytes.take<std::uint8_t>() % 8 == 7) {
      for (std::size_t i = 0; i < metrics; ++i) sheet->values[row][i] = bytes.real();
    } else {
      sheet->values[row].fill(bytes.real());
      for (std::size_t left = bytes.below(8); left > 0; --left)
        sheet->values[row][bytes.below(metrics)] = bytes.real();
    }
    take_launch(bytes, sheet->launches[row]);
  }
  return sheet;
}

/// What the sheet says after each of two calls whose kernels' spans were recorded.
KernelTime taken_kernel_time(Bytes& bytes) {
  const auto sheet = std::make_unique<CounterSheet>();
  std::vector<SpannedCall> calls;
  for (int i = 0; i < 2; ++i) {
    sheet->span_kernels = bytes.number<std::uint32_t>();
    sheet->span_seconds = bytes.real();
    calls.push_back(read_spans(*sheet));
  }
  auto time = kernel_time_of(calls, bytes.number<std::uint32_t>(), /*graphs=*/true);
  require(time.seconds.has_value() == time.why_not.empty(), "a time, or why there is none");
  require(!time.seconds || *time.seconds > 0, "kernels take time");
  return time;
}

/// As the profile stage does it (judge/profile/device_profile.cpp).
void place(Verdict& verdict, const Ceilings& ceilings, CountedCall counted) {
  if (!doubts_about(counted.counters, ceilings, 3 * 4096, kSeconds).empty()) return;
  if (!doubt_about_kernel_time(counted.counters, ceilings, 3 * 4096, kSeconds).empty())
    std::erase_if(counted.counters, [](const auto& it) { return it.name == counter::kernel_seconds; });
  for (auto& launch : counted.launches) {
    require(launch.blocks() >= 0 && launch.threads_per_block() >= 0, "a launch's sizes do not overflow");
    const auto room = occupancy_of({.warps = 64, .registers = 65536}, launch.threads_per_block(),
                                   launch.registers, launch.shared);
    launch.theoretical_occupancy = room.share;
    launch.limit = room.limit;
  }
  auto at = place_counted(ceilings, DType::float32, 3 * 4096, 1024, kSeconds, std::move(counted.counters));
  for (const auto& one : at.counters) require(std::isfinite(one.value), "a counter is a finite number");
  at.diagnosis = words::diagnosis_text(diagnose_counted(at, ceilings, DType::float32, counted.launches));
  verdict.rooflines.push_back(std::move(at));
  verdict.launches.insert(verdict.launches.end(), counted.launches.begin(), counted.launches.end());
}

void run_sheets(std::string_view input) {
  Bytes bytes(input);
  const auto set = profiler::metric_sets[bytes.below(std::size(profiler::metric_sets))];
  const auto calls = taken_calls(bytes);
  const auto time = taken_kernel_time(bytes);
  const auto sheet = taken_sheet(bytes, profiler::metrics_of(set).size());
  Ceilings ceilings;
  ceilings.bandwidth = 4e12;
  ceilings.cache_bytes = 50e6;
  ceilings.peaks = {{"fp32", 50e12}};
  const std::vector<std::size_t> not_alone(bytes.below(2), 0);
  Verdict verdict;
  for (const auto& rows : read_sheet(*sheet, set, calls, not_alone, kCases)) {
    require(rows.launches.size() <= runner::kMaxRanges, "no more launches than rows");
    if (rows.call) {
      auto counted = counted_call(set, rows, "small");
      if (time.seconds)
        counted.counters.push_back({std::string(counter::kernel_seconds), *time.seconds, Source::cupti});
      place(verdict, ceilings, std::move(counted));
    }
    verdict.notes.push_back(rows.why_not);
  }
  require_arrives(verdict);
}

/// A name that stands for gigabytes: each level names the one before four times.
std::string doubling_name(int levels) {
  const std::string_view digits = "0123456789ABCDEFGHIJ";
  std::string name = "_Z1f1aIiE";
  for (int i = 0; i < levels; ++i) {
    const auto before = std::string("S") + digits[static_cast<std::size_t>(i)] + "_";
    name += "S_I" + before + before + before + before + "E";
  }
  return name;
}

constexpr unsigned char kShort = 15;  // 1e-5

/// A sheet of one row: a lone launch of this name, with all metrics of one value, and one of another. Its
/// span is `span`.
std::string seed_with(std::string_view name, unsigned char value, unsigned char metric, unsigned char other,
                      unsigned char span = kShort) {
  std::string seed("\0\1\1", 3);
  for (int call = 0; call < 2; ++call) seed += std::string("\1") + static_cast<char>(span);
  seed += std::string("\1\1\1\1\1\1\0\0", 8);
  seed += static_cast<char>(value);
  seed += '\1';
  seed += static_cast<char>(metric);
  seed += static_cast<char>(other);
  seed += std::string(1, static_cast<char>(name.size() & 0xff)) + static_cast<char>(name.size() >> 8);
  seed += name;
  return seed + std::string("\x40\1\1\x80\1\1\x20\0\0\0", 10);
}

std::vector<std::string> seeds_of_sheets() {
  constexpr unsigned char one = 2, tiny = 4, huge = 5, infinite = 9, negative = 10, nan = 12, plain = 14;
  std::vector<std::string> seeds = {seed_with("_Z6reduceIfLi4EEvPKT_", plain, 0, plain),
                                    seed_with("softmax", one, 3, nan), seed_with("", nan, 0, plain),
                                    seed_with(std::string(256, '\xff'), negative, 2, infinite)};
  // Once wrong: sums and quotients of finite counts that are not finite, and names without end.
  for (unsigned char metric = 0; metric < 46; metric += 3) {
    seeds.push_back(seed_with("f", nan, metric, huge));
    seeds.push_back(seed_with("f", huge, metric, tiny));
  }
  for (const auto span : {one, tiny, huge, infinite, negative, nan})
    seeds.push_back(seed_with("softmax", plain, 0, plain, span));
  seeds.push_back(seed_with(doubling_name(8), plain, 0, plain));
  seeds.push_back(seed_with(doubling_name(15), plain, 0, plain));
  return seeds;
}

}  // namespace

const Target sheets{"sheets", run_sheets, seeds_of_sheets};

}  // namespace ridgeline::fuzz
