#include "engine/worker/judge/timing/module_rounds.hpp"

#include <utility>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/hidden_time.hpp"
#include "engine/worker/judge/timing/device_idle.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kUsualResponse = 0.9;  // quantile of the device's answering times that counts as usual
constexpr std::size_t kEmptyAtFirst = 8, kEmptyLater = 2;  // empty batches before the baseline's batches

/// Returns slope over quotient of each pair whose quotient is above zero.
std::vector<double> slopes_over_quotients(const std::vector<BatchPair>& pairs, const ClockModel& clocks,
                                          const Overhead& overhead) {
  std::vector<double> ratios;
  for (const auto& pair : pairs) {
    if (interrupted(pair)) continue;
    if (const double quotient = clocks.seconds_a_call(pair, overhead); quotient > 0)
      ratios.push_back(clocks.slope_a_call(pair) / quotient);
  }
  return ratios;
}

}  // namespace

ModuleRounds::ModuleRounds(PreparedTask& prepared, PreparedCase& prepared_case, RunnerProcess& candidate,
                           RunnerCaller& caller, TimedSlots& slots, const SamplingLimits& limits,
                           std::function<void()> change_core)
    : prepared_(prepared),
      clocks_(prepared.backend().clocks()),
      candidate_(candidate),
      caller_(caller),
      slots_(slots),
      limits_(limits),
      change_core_(std::move(change_core)),
      baseline_(prepared, prepared_case),
      overhead_(candidate.trusted_overhead()) {}

Sampling ModuleRounds::sample() {
  RoundSide candidate{caller_, slots_, [this](const BatchPair& pair) { return seconds_a_call(pair); },
                      [this] {
                        slots_.begin_round();
                        return nullptr;
                      }};
  const auto baseline_seconds = [this](const BatchPair& pair) {
    responses_.insert(responses_.end(), {pair.shorter.settle, pair.longer.settle});
    return seconds_a_call(pair);
  };
  RoundSide baseline{baseline_.caller(), baseline_.slots(), baseline_seconds, [this] {
                       auto pause = pause_candidate();
                       time_empty_batches();
                       return pause;
                     }};
  slots_.forget();
  rounds_ = run_interleaved_rounds(candidate, baseline, limits_, prepared_.random(), profiler::wall_seconds,
                                   change_core_);
  slots_.keep_rounds(better_half(rounds_.rounds));
  return {rounds_.end, pairs_of(&Round::candidate, rounds_.rounds)};
}

Evidence ModuleRounds::weigh() const {
  auto evidence = clocks_.weigh(pairs_of(&Round::candidate, rounds_.rounds), overhead_);
  if (evidence.dispute != Dispute::none) return evidence;
  // A candidate that plays with clocks in half of the rounds only would stay below the shares that make a
  // dispute of all pairs.
  const auto better = select_rounds(rounds_.rounds, better_half(rounds_.rounds));
  const auto of_better = clocks_.weigh(pairs_of(&Round::candidate, better), overhead_);
  evidence.dispute = of_better.dispute;
  evidence.detail = of_better.detail;
  return evidence;
}

RoundSummary ModuleRounds::summary() const {
  const auto ratios = [&](SideOfRound side, const std::vector<Round>& rounds) {
    return slopes_over_quotients(pairs_of(side, rounds), clocks_, overhead_);
  };
  const auto& all = rounds_.rounds;
  const auto baseline_evidence = clocks_.weigh(pairs_of(&Round::baseline, all), overhead_);
  return summarize(rounds_,
                   {.candidate = ratios(&Round::candidate, all),
                    .baseline = ratios(&Round::baseline, all),
                    .better_half = ratios(&Round::candidate, select_rounds(all, better_half(all)))},
                   baseline_.disturbed(baseline_evidence));
}

std::optional<TimedSide> ModuleRounds::reference() {
  auto* const caller = baseline_.runner_caller();
  auto* const process = prepared_.reference_runner().process();
  const auto samples = clocks_.weigh(pairs_of(&Round::baseline, rounds_.rounds), overhead_).samples;
  if (!caller || !process || samples.empty()) return std::nullopt;
  return TimedSide{*process, *caller, baseline_.slots(), median(samples), true};
}

/// Pauses the candidate and lets the device finish what it left there; what is returned continues it.
std::shared_ptr<void> ModuleRounds::pause_candidate() {
  const auto end = [this](RunnerProcess::Pause* pause) {
    ran_while_paused_ = ran_while_paused_ || pause->ran();
    delete pause;
  };
  const std::shared_ptr<RunnerProcess::Pause> pause(new RunnerProcess::Pause(candidate_), end);
  wait_until_idle(prepared_.backend().telemetry());
  return pause;
}

/// Work that was still to be done when a reply came counts as if it had been done in the window. This is done
/// batch by batch: a figure of all batches together cannot see a mixture of early replies of several kinds.
double ModuleRounds::seconds_a_call(const BatchPair& pair) const {
  return clocks_.seconds_a_call(pair, overhead_) +
         time_after_replies(pair, quantile(responses_, kUsualResponse));
}

/// Empty-batch overhead is re-measured on this core: the first figure is of the core on which the runner
/// started. The baseline's runner is measured, since it can be believed and wakes up on the same core.
void ModuleRounds::time_empty_batches() {
  const std::size_t more = empty_batches_.empty() ? kEmptyAtFirst : kEmptyLater;
  for (std::size_t i = 0; i < more; ++i) {
    prepared_.backend()
        .telemetry()
        .response_seconds();  // as filling does: the device changes contexts after it
    if (const auto times = baseline_.caller().call(0, 0)) empty_batches_.push_back(times->wall);
  }
  if (!empty_batches_.empty()) overhead_.wall = median(empty_batches_);
}

}  // namespace ridgeline::judge
