#include "engine/worker/judge/timing/module_turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/hidden_time.hpp"
#include "engine/worker/judge/timing/baseline.hpp"
#include "engine/worker/judge/timing/drained.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kUsual = 0.9;   // of the baseline's batches after which the device answers as it does
constexpr double kAlike = 1.05;  // speed-ups in all rounds and in those in which the baseline was quick
constexpr std::size_t kEmptyAtFirst = 8, kEmptyLater = 2;  // batches without calls, in a turn of the baseline

/// Of each pair, where both are known.
std::vector<double> slopes_over_quotients(const std::vector<BatchPair>& pairs, const Backend& backend,
                                          const Overhead& overhead) {
  std::vector<double> found;
  for (const auto& pair : pairs)
    if (const double quotient = backend.seconds_a_call(pair, overhead); quotient > 0)
      found.push_back(backend.slope_a_call(pair) / quotient);
  return found;
}

}  // namespace

ModuleTurns::ModuleTurns(PreparedTask& prepared, PreparedCase& one, RunnerProcess& candidate,
                         RunnerCaller& caller, TimedSlots& slots, const SamplingLimits& limits,
                         std::function<void()> elsewhere)
    : prepared_(prepared),
      case_(one),
      candidate_(candidate),
      caller_(caller),
      slots_(slots),
      limits_(limits),
      elsewhere_(std::move(elsewhere)),
      baseline_(prepared, one),
      overhead_(candidate.trusted_overhead()) {}

Sampling ModuleTurns::take() {
  TurnTaker candidate{caller_, slots_, [this](const BatchPair& pair) { return seconds_a_call(pair); },
                      [this] {
                        slots_.begin_turn();
                        return nullptr;
                      }};
  const auto of_baseline = [this](const BatchPair& pair) {
    settles_.insert(settles_.end(), {pair.single.settle, pair.twice.settle});
    return seconds_a_call(pair);
  };
  TurnTaker baseline{baseline_.caller(), baseline_.slots(), of_baseline, [this] {
                       auto alone = pause_candidate();
                       time_empty_batches();
                       return alone;
                     }};
  slots_.forget();
  turns_ = take_turns(candidate, baseline, limits_, prepared_.random(), profiler::wall_seconds, elsewhere_);
  slots_.keep_turns(better_half(turns_.rounds));
  return {turns_.end, pairs_of(&Round::candidate, turns_.rounds)};
}

Evidence ModuleTurns::weigh() const {
  const auto& backend = prepared_.backend();
  auto evidence = backend.weigh(pairs_of(&Round::candidate, turns_.rounds), overhead_);
  if (evidence.dispute != Dispute::none) return evidence;
  const auto better = chosen(turns_.rounds, better_half(turns_.rounds));
  const auto of_better = backend.weigh(pairs_of(&Round::candidate, better), overhead_);
  evidence.dispute = of_better.dispute;
  evidence.detail = of_better.detail;
  return evidence;
}

double ModuleTurns::own_seconds() const {
  return hidden_ * median(seconds_of(&Round::candidate, turns_.rounds));
}

/// With what it left on the device done.
std::shared_ptr<void> ModuleTurns::pause_candidate() {
  const auto end = [this](RunnerProcess::Pause* pause) {
    ran_while_paused_ = ran_while_paused_ || pause->ran();
    delete pause;
  };
  const std::shared_ptr<RunnerProcess::Pause> pause(new RunnerProcess::Pause(candidate_), end);
  drained(prepared_.backend());
  return pause;
}

/// Whatever was still to be done when a reply came counts as if it had been done in the window, batch by
/// batch: what is asked of all batches together cannot see a mixture of early replies of several kinds.
double ModuleTurns::seconds_a_call(const BatchPair& pair) const {
  return prepared_.backend().seconds_a_call(pair, overhead_) + late(pair, quantile(settles_, kUsual));
}

/// What it takes to ring for a runner was measured before it was given this core. The baseline's runner can
/// be believed, and the candidate's waits where it does.
void ModuleTurns::time_empty_batches() {
  const std::size_t more = empty_.empty() ? kEmptyAtFirst : kEmptyLater;
  for (std::size_t i = 0; i < more; ++i)
    if (const auto times = baseline_.caller().call(0, 0)) empty_.push_back(times->wall);
  if (!empty_.empty()) overhead_.wall = median(empty_);
}

bool ModuleTurns::enter(CaseTiming& measured, const Evidence& evidence) {
  const auto ours = pairs_of(&Round::candidate, turns_.rounds),
             theirs = pairs_of(&Round::baseline, turns_.rounds);
  const auto of_baseline = prepared_.backend().weigh(theirs, overhead_);
  const auto& backend = prepared_.backend();
  const auto theirs_exceed = slopes_over_quotients(theirs, backend, overhead_);
  const auto hidden = [&](const std::vector<BatchPair>& pairs) {
    return hidden_time(slopes_over_quotients(pairs, backend, overhead_), theirs_exceed);
  };
  const auto better = chosen(turns_.rounds, better_half(turns_.rounds));
  hidden_ = std::max(hidden(ours), hidden(pairs_of(&Round::candidate, better)));
  const bool enough = turns_.end == SamplingEnd::enough;
  const auto before = case_.baseline;
  const auto speedups = quotients(turns_.rounds);
  if (turns_.baseline_over || speedups.empty() || baseline_.disturbed(of_baseline)) {
    auto own = seconds_of(&Round::candidate, turns_.rounds);
    std::erase(own, 0);
    for (double& one : own) one *= hidden_;
    measured.cold = to_duration(std::move(own), enough);
    if (!before || speedups.empty()) return false;
    measured.baseline_cold = *before;
    return true;
  }
  // Both times are those on a host that nothing slows, by what the baseline takes there: its turns are beyond
  // the candidate's reach, and a time that is compared with nothing would be of whatever state the host was
  // in.
  auto took = seconds_of(&Round::baseline, turns_.rounds);
  std::erase(took, 0);
  const double level = quick(took);
  std::vector<double> cold;
  for (const double speedup : speedups) cold.push_back(hidden_ * level / speedup);
  measured.cold = to_duration(std::move(cold), enough);
  measured.baseline_cold =
      Duration{.median = level, .low = level, .high = level, .samples = std::move(took), .converged = enough};
  const double where_quick = speedup_where_quick(turns_.rounds) / hidden_;
  const double speedup = level / measured.cold.median;
  where_quick_ = std::max(where_quick / speedup, speedup / where_quick) > kAlike ? where_quick : 0;
  if (before) measured.baseline_drift = measured.baseline_cold.median / before->median;
  if (ran_while_paused_ || evidence.dispute != Dispute::none)
    return true;                            // nobody else is held against that
  case_.baseline = measured.baseline_cold;  // for one that is timed alone, with the spread that its turns had
  case_.baseline->low = *std::ranges::min_element(measured.baseline_cold.samples);
  case_.baseline->high = std::max(level, median(measured.baseline_cold.samples));
  case_.baseline_confirmed = false;  // a candidate that takes no turns has it looked at
  case_.reference_seconds = measured.baseline_cold.median;
  return true;
}

std::vector<std::string> ModuleTurns::remarks() const {
  std::vector<std::string> found;
  if (turns_.end == SamplingEnd::capped && !turns_.baseline_over)
    found.push_back(
        fmt::format("the speed-up did not settle within {} rounds of it and its baseline: the host was busy, "
                    "or its calls are long",
                    turns_.rounds.size()));
  if (where_quick_ > 0)
    found.push_back(
        fmt::format("the host slowed it and its baseline differently: in the rounds in which the baseline "
                    "was quick the speed-up is {:.2f}",
                    where_quick_));
  if (hidden_ != 1)
    found.push_back(
        fmt::format("its times are multiplied by {:.2f}, by which slopes exceed whole batches", hidden_));
  return found;
}

}  // namespace ridgeline::judge
