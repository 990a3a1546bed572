#include "engine/worker/judge/profile/device_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/counter_doubts.hpp"
#include "engine/core/counters.hpp"
#include "engine/core/diagnosis.hpp"
#include "engine/core/work.hpp"
#include "engine/worker/judge/profile/profile_stage.hpp"
#include "profiler/metrics.hpp"
#include "prompts/words/diagnosis_text.hpp"

namespace ridgeline::judge {
namespace {

// Seconds from which a call counts as long. Counting the operations of a matrix product of 17 ms took four
// seconds on an H200.
constexpr double kLongCall = 0.0015;

/// Adds theoretical occupancy, which follows from the launch and which no counter gives; that of the longest
/// launch stands for the call.
void add_occupancy(CountedCall& counted, const MultiprocessorLimits& limits) {
  const KernelLaunch* longest = nullptr;
  for (auto& launch : counted.launches) {
    const auto room = occupancy_of(limits, launch.threads_per_block(), launch.registers, launch.shared);
    launch.theoretical_occupancy = room.share;
    launch.limit = room.limit;
    if (!longest || launch.seconds > longest->seconds) longest = &launch;
  }
  if (longest)
    counted.counters.push_back(
        {std::string(counter::theoretical_occupancy), longest->theoretical_occupancy, Source::cupti});
}

class Profile {
 public:
  Profile(PreparedTask& prepared, const DeviceProfiling& with, const Ceilings& ceilings, Verdict& verdict)
      : prepared_(prepared), with_(with), ceilings_(ceilings), verdict_(verdict) {}

  void run() {
    std::vector<PreparedCase*> cases;
    std::vector<double> seconds;
    for (const auto& timed : verdict_.timing->cases) {
      auto* one = prepared_.find(timed.case_name);
      if (!one || timed.cold.median <= 0) continue;
      cases.push_back(one);
      seconds.push_back(timed.cold.median);
    }
    std::unique_ptr<DeviceCounters> counters;
    auto set = profiler::MetricSet::plain;  // chosen if anything can be counted
    if (with_.counting.why_not.empty()) {
      const profiler::ScopedMetric metric("profile.take");
      set = set_of(seconds);
      counters = with_.ahead.take(with_.kind, set);
    } else
      why_not_ = with_.counting.why_not;
    auto counted =
        counters ? count(*counters, cases) : std::vector(cases.size(), CountedCall{{}, {}, why_not_});
    if (counters && counters->wants_many_rows()) {
      with_.ahead.expect_many_rows(prepared_.task().hash);
      counters.reset();
      with_.runners.wait_for_retired();  // its process holds the device's counters until it ends
      counters = with_.ahead.take(with_.kind, set);
      counted = count(*counters, cases);
    }
    for (std::size_t i = 0; i < cases.size(); ++i) place(*cases[i], seconds[i], std::move(counted[i]));
    if (counted_ > 0 && counters && !counters->empties_l2())
      doubts_.push_back(
          "the L2 could not be emptied within the passes: bytes written may be what others left in it");
    finish();
  }

 private:
  std::vector<CountedCall> count(DeviceCounters& counters, std::span<PreparedCase* const> cases) {
    {
      const profiler::ScopedMetric metric("profile.background_work");
      with_.runners.wait_for_background_work();
    }
    counters.load(with_.artefact, prepared_.task(), with_.call_limit);
    return counters.count(prepared_, cases);
  }

  /// Each pass repeats the call, and sets with operations take many passes.
  profiler::MetricSet set_of(const std::vector<double>& seconds) {
    const auto set = counted_set(with_.set, seconds.empty() ? 0 : std::ranges::max(seconds));
    if (set != with_.set)
      doubts_.push_back(fmt::format(
          "operations and bytes a sector are not counted of calls of {:.1f} ms and more", kLongCall * 1e3));
    return set;
  }

  /// Places a case by its counters, or by analytic counts if counters are missing or contradict what the
  /// judge knows: the candidate's process could have written them.
  void place(PreparedCase& one, double seconds, CountedCall counted) {
    const auto& task = prepared_.task();
    const auto work = work_of(task, one.definition().sizes);
    const auto dtype = compute_dtype(task);
    const auto doubts = doubts_about(counted.counters, ceilings_, work.bytes, seconds);
    if (!counted.why_not.empty()) {
      why_not_ = counted.why_not;
    } else if (!doubts.empty()) {
      doubts_.push_back(
          fmt::format("{}: counters are set aside: {}", shown_name(one), fmt::join(doubts, ", ")));
    } else {
      ++counted_;
      check_kernel_time(one, work.bytes, seconds, counted);
      add_occupancy(counted, with_.counting.limits);
      auto at =
          place_counted(ceilings_, dtype, work.bytes, work.operations, seconds, std::move(counted.counters));
      at.diagnosis = words::diagnosis_text(diagnose_counted(at, ceilings_, dtype, counted.launches));
      at.case_name = one.definition().name;
      verdict_.rooflines.push_back(std::move(at));
      std::ranges::move(counted.launches, std::back_inserter(verdict_.launches));
      return;
    }
    auto at = place_on_roofline(ceilings_, dtype, work, seconds);
    at.diagnosis = words::diagnosis_text(diagnose_analytic(at, ceilings_, dtype, work));
    at.case_name = one.definition().name;
    verdict_.rooflines.push_back(std::move(at));
  }

  static std::string shown_name(const PreparedCase& one) {
    return one.definition().hidden ? "an unseen case" : one.definition().name;
  }

  /// Leaves the kernels' own time out if it contradicts what the judge knows, and keeps why there is none.
  /// Cases mostly have one reason, which is said once.
  void check_kernel_time(const PreparedCase& one, double needed_bytes, double seconds, CountedCall& counted) {
    auto why = std::move(counted.no_kernel_time);
    if (auto doubt = doubt_about_kernel_time(counted.counters, ceilings_, needed_bytes, seconds);
        !doubt.empty()) {
      std::erase_if(counted.counters, [](const auto& it) { return it.name == counter::kernel_seconds; });
      why = std::move(doubt);
    }
    if (!why.empty()) no_kernel_time_[why].push_back(shown_name(one));
  }

  void finish() {
    auto& stage = verdict_.at(Stage::profile);
    if (!verdict_.rooflines.empty()) verdict_.ceilings = ceilings_;
    std::vector<std::string> remarks = doubts_;
    if (!why_not_.empty()) remarks.push_back(why_not_);
    if (counted_ == 0) {
      stage = {
          .status = Status::unavailable,
          .reason = Reason::counters_refused,
          .detail = fmt::format("analytic counts over the cold time stand in; {}", fmt::join(remarks, "; "))};
      return;
    }
    for (const auto& [why, names] : no_kernel_time_)
      remarks.push_back(fmt::format("no kernel's own time of {}: {}", fmt::join(names, ", "), why));
    if (const auto unknown = with_.ahead.configs().unknown(); !unknown.empty())
      remarks.push_back(fmt::format("this chip has no {}", fmt::join(unknown, ", ")));
    stage = {.status = Status::passed, .detail = fmt::format("{}", fmt::join(remarks, "; "))};
  }

  PreparedTask& prepared_;
  const DeviceProfiling& with_;
  const Ceilings& ceilings_;
  Verdict& verdict_;
  std::string why_not_;
  std::vector<std::string> doubts_;
  std::map<std::string, std::vector<std::string>> no_kernel_time_;  // cases, by why they have none
  int counted_ = 0;                                                 // cases
};

}  // namespace

profiler::MetricSet counted_set(profiler::MetricSet wanted, double longest_call) {
  return longest_call < kLongCall ? wanted : profiler::MetricSet::brief;
}

void profile_on_device(PreparedTask& prepared, const DeviceProfiling& with, const Ceilings& ceilings,
                       Verdict& verdict) {
  if (verdict.timing) Profile(prepared, with, ceilings, verdict).run();
}

}  // namespace ridgeline::judge
