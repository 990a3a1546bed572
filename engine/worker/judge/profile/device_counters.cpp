#include "engine/worker/judge/profile/device_counters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/counters.hpp"
#include "engine/core/error.hpp"
#include "engine/core/one_line.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using profiler::MetricSet;
using runner::Answer;
using runner::CounterSheet;
using runner::Reply;

/// Whether runners empty the L2 before each counted call. Otherwise up to half the L2 of lines that others
/// wrote are written back during the call, and count as its own.
constexpr bool kEmptyL2 = true;
constexpr int kSpannedCalls = 5;           // of a case, whose kernels' own time is their median
constexpr std::uint32_t kMostPasses = 40;  // no chip needs as many: what a runner says is bounded

const CounterSheet& on(const MemoryFile& sheet) {
  return *reinterpret_cast<const CounterSheet*>(sheet.data());
}

/// Launches beyond the sheet's rows may be anything.
bool may_have_graphs(const SheetRows& rows) {
  return rows.launches.size() < rows.launched ||
         std::ranges::any_of(rows.launches, [](const auto& row) { return row.first.graph != 0; });
}

}  // namespace

MemoryFile CounterConfigs::sheet_for(MetricSet set, Rows rows) const {
  MemoryFile file(sizeof(CounterSheet));
  auto& sheet = *reinterpret_cast<CounterSheet*>(file.data());
  const auto& metrics = profiler::metrics_of(set);
  sheet.metrics = static_cast<std::uint32_t>(std::min(metrics.size(), runner::kMaxMetrics));
  for (std::size_t i = 0; i < sheet.metrics; ++i)
    metrics[i].copy(sheet.names[i].data(), sheet.names[i].size() - 1);
  sheet.empty_l2 = kEmptyL2 ? 1 : 0;
  if (rows == Rows::few) {
    sheet.most_calls = runner::kFewCalls;
    sheet.most_launches = runner::kFewLaunches;
  } else {
    sheet.most_calls = runner::kMaxCalls;
    sheet.most_launches = runner::kMaxLaunches;
  }
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
  for (const auto set : profiler::metric_sets)
    for (std::size_t i = 0; i < at(set).unknown.size(); ++i) {
      const auto& name = profiler::metrics_of(set)[i];
      if (at(set).unknown[i] && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  return names;
}

DeviceCounters::DeviceCounters(RunnerPool& runners, CounterConfigs& configs, MetricSet set, RunnerKind kind,
                               Rows rows)
    : runners_(runners), configs_(configs), set_(set), kind_(kind), rows_(rows) {
  try {
    const profiler::ScopedMetric metric("profile.runner");
    runner_ = take_process(runners, kind);
  } catch (const MachineCannot& error) {
    why_not_ = error.what();
    return;
  }
  const profiler::ScopedMetric metric("profile.prepare");
  sheet_.emplace(configs_.sheet_for(set, rows));
  if (!succeeded(runner_->profile(number(), *sheet_, runner_limits::prepare_counters), "preparing")) return;
  configs_.keep(set, *sheet_);
  empties_l2_ = on(*sheet_).empty_l2 != 0;
  runner_->begin_opening(number());
  opening_ = true;
}

DeviceCounters::~DeviceCounters() {
  runners_.retire(std::move(runner_));
}

void DeviceCounters::await_opening() {
  if (!std::exchange(opening_, false)) return;
  const profiler::ScopedMetric metric("profile.open");
  succeeded(runner_->await_opening(runner_limits::prepare_counters), "opening a pass");
}

void DeviceCounters::load(const std::filesystem::path& artefact, const Task& task, double call_limit) {
  call_limit_ = call_limit;
  await_opening();
  if (!why_not_.empty()) return;
  const profiler::ScopedMetric metric("profile.load");
  // The surveys are the first calls of a fresh interpreter. Candidates that compile are not counted.
  allowance_ = allowance_for(runner_->interpreter(), /*compiles=*/false);
  succeeded(runner_->load(artefact, runner_limits::load_in(runner_->interpreter()), state_bytes(task)),
            "loading the candidate again");
}

std::vector<CountedCall> DeviceCounters::count(PreparedTask& prepared, Cases cases) {
  std::vector<CountedCall> counted(cases.size(), CountedCall{{}, {}, "nothing was counted"});
  const auto give_up = [&](const std::string& why) {
    for (auto& one : counted) one = {{}, {}, why};
    return counted;
  };
  if (cases.size() > runner::kMaxCalls / 2)
    return give_up(fmt::format("of {} timed cases counters can be read at once, and these are {}",
                               runner::kMaxCalls / 2, cases.size()));
  // Each call is counted whole, and then launch by launch, which keeps launches from overlapping. If a call
  // is one launch, both are the same, and one count does.
  std::size_t launched = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!map(*cases[i])) return give_up(why_not_);
    const auto alone = survey(prepared, *cases[i], "a first call");
    if (!alone) return give_up(why_not_);
    if (!*alone) counts_.push_back({i, false, false});
    counts_.push_back({i, true, *alone});
    launched += on(*sheet_).surveyed;
  }
  if (!has_room(launched)) {
    wants_many_rows_ = true;
    return give_up("its calls launch more than there is room for");
  }
  // Only the first launches of a pass get rows (runner::kMaxLaunches), and the row of a lone launch is all
  // that is counted of its call: none of them may come behind a call of a hundred launches.
  std::ranges::stable_partition(counts_, &PassCall::alone);
  if (!run_passes(prepared, cases)) return give_up(why_not_);
  const auto rows = read_sheet(on(*sheet_), set_, counts_, not_alone_, cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (rows[i].call) {
      counted[i] = counted_call(set_, rows[i], cases[i]->definition().name);
      add_kernel_time(prepared, *cases[i], rows[i], counted[i]);
    } else if (!rows[i].why_not.empty()) {
      counted[i].why_not = rows[i].why_not;
    }
  return counted;
}

bool DeviceCounters::has_room(std::size_t launched) const {
  return rows_ == Rows::many || (counts_.size() <= runner::kFewCalls && launched <= runner::kFewLaunches);
}

/// Maps the case's arena if it is not the mapped one; mapping unmaps the one before.
bool DeviceCounters::map(PreparedCase& prepared_case) {
  if (!why_not_.empty()) return false;
  if (!prepared_case.timing_arena) {
    why_not_ = "a case has no buffers to be called on";
    return false;
  }
  if (mapped_ == &prepared_case) return true;
  mapped_ = nullptr;
  const profiler::ScopedMetric metric("profile.map");
  if (!succeeded(runner_->map(*prepared_case.timing_arena, runner_limits::map), "mapping the arguments"))
    return false;
  mapped_ = &prepared_case;
  return true;
}

bool DeviceCounters::run_passes(PreparedTask& prepared, Cases cases) {
  for (std::uint32_t i = 0; i < configs_.passes(set_); ++i)
    if (!pass(prepared, cases, /*open=*/i == 0)) return false;
  if (!survey_again(prepared, cases)) return false;
  const profiler::ScopedMetric metric("profile.report");
  return succeeded(runner_->report(number(), call_limit_ + runner_limits::map), "reading the counters");
}

/// Makes sure that calls which were one launch are so still: copies and fillings of memory are not seen while
/// launches are counted, and a candidate may act differently once it is counted.
bool DeviceCounters::survey_again(PreparedTask& prepared, Cases cases) {
  for (const auto& one : counts_) {
    if (!one.alone) continue;
    if (!map(*cases[one.at_case])) return false;
    const auto alone = survey(prepared, *cases[one.at_case], "a call after the counted ones");
    if (!alone) return false;
    if (!*alone) not_alone_.push_back(one.at_case);
  }
  return true;
}

/// Fills with fresh inputs, poisoned outputs and cold caches, so that every pass sees a call like the timed
/// ones.
bool DeviceCounters::refill(PreparedTask& prepared, PreparedCase& prepared_case) {
  const profiler::ScopedMetric metric("profile.refill");
  TimedSlots slots(prepared, prepared_case, runner_.get());
  return slots.prepare(1, /*cold=*/true) ||
         (slots.arrange_failure() && succeeded(*slots.arrange_failure(), "arranging the arguments"));
}

/// The first call of a case also loads the kernel's code, which is no work of the kernel's: so it is
/// surveyed, not counted.
std::optional<bool> DeviceCounters::survey(PreparedTask& prepared, PreparedCase& prepared_case,
                                           const char* when) {
  if (!refill(prepared, prepared_case)) return std::nullopt;
  const profiler::ScopedMetric metric("profile.survey");
  const double own_limit = call_limit_ + runner_limits::map;
  const double begin = profiler::wall_seconds();
  const auto answer = runner_->count(number(), 0, 1, runner::kSurveys, allowance_.limit_of(own_limit));
  if (!succeeded(answer, when)) return std::nullopt;
  allowance_.spend(profiler::wall_seconds() - begin, own_limit);
  return on(*sheet_).alone == 1;
}

/// Runs one counted pass over all calls. `open`: the pass is already open.
bool DeviceCounters::pass(PreparedTask& prepared, Cases cases, bool open) {
  const profiler::ScopedMetric metric(open ? "profile.first_pass" : "profile.pass");
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    auto& one = *cases[counts_[i].at_case];
    if (!map(one) || !refill(prepared, one)) return false;
    std::uint32_t how = counts_[i].by_launch ? runner::kByLaunch : 0;
    if (i == 0 && !open) how |= runner::kOpensPass;
    if (i + 1 == counts_.size()) how |= runner::kClosesPass;
    if (!succeeded(runner_->count(number(), 0, 1, how, call_limit_ + runner_limits::map), "a counted call"))
      return false;
  }
  return true;
}

void DeviceCounters::add_kernel_time(PreparedTask& prepared, PreparedCase& prepared_case,
                                     const SheetRows& rows, CountedCall& counted) {
  auto time = time_kernels(prepared, prepared_case, rows);
  if (time.seconds)
    counted.counters.push_back({std::string(counter::kernel_seconds), *time.seconds, Source::cupti});
  counted.no_kernel_time = std::move(time.why_not);
}

KernelTime DeviceCounters::time_kernels(PreparedTask& prepared, PreparedCase& prepared_case,
                                        const SheetRows& rows) {
  const profiler::ScopedMetric metric("profile.kernel_time");
  std::vector<SpannedCall> calls;
  for (int i = 0; i < kSpannedCalls; ++i) {
    if (!map(prepared_case) || !refill(prepared, prepared_case))
      return {{}, why_not_.empty() ? "its arguments could not be filled" : why_not_};
    const auto answer = runner_->count(number(), 0, 1, runner::kSpans, call_limit_ + runner_limits::map);
    if (!succeeded(answer, "a call whose kernels are timed")) {
      const auto* reply = std::get_if<Reply>(&answer);
      // What CUPTI could not record of one case says nothing of the next.
      return {{}, reply && reply->answer == Answer::no_counters ? std::exchange(why_not_, "") : why_not_};
    }
    calls.push_back(read_spans(on(*sheet_)));
  }
  return kernel_time_of(calls, rows.launched, may_have_graphs(rows));
}

bool DeviceCounters::succeeded(const RunnerAnswer& answer, const char* when) {
  const auto* reply = std::get_if<Reply>(&answer);
  if (reply && reply->answer == Answer::ok) return true;
  if (reply)
    why_not_ = fmt::format("{}: {}", when, in_one_line({reply->text.data(), reply->text_bytes}));
  else
    why_not_ = fmt::format("{}: the runner ended ({})", when,
                           sandbox::describe(std::get<RunnerExit>(answer).outcome));
  return false;
}

}  // namespace ridgeline::judge
