#include "engine/worker/judge/timing/module_turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/timing/baseline.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kIdle = 0.5e-3;  // seconds within which a device that nobody uses answers
constexpr double kDrained = 1;    // seconds that what a paused candidate left there is waited for
constexpr double kMostAgreement =
    1.05;  // of slopes with quotients over the baseline's, where nothing is hidden
constexpr std::size_t kEnoughPairs = 8;

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
      baseline_(prepared, one) {}

Sampling ModuleTurns::take() {
  const auto& backend = prepared_.backend();
  const auto* runner = prepared_.reference_runner.get();
  const auto of_baseline = runner ? runner->trusted_overhead() : Overhead{};
  TurnTaker candidate{
      caller_, slots_,
      [&](const BatchPair& pair) { return backend.seconds_a_call(pair, candidate_.trusted_overhead()); },
      [this](const std::vector<Round>& so_far) {
        slots_.begin_turn(undisturbed_at(so_far));
        return nullptr;
      }};
  TurnTaker baseline{baseline_.caller(), baseline_.slots(),
                     [&](const BatchPair& pair) { return backend.seconds_a_call(pair, of_baseline); },
                     [this](const auto&) { return pause_candidate(); }};
  slots_.forget();
  turns_ = take_turns(candidate, baseline, limits_, prepared_.random(), profiler::wall_seconds, elsewhere_);
  slots_.keep_turns(undisturbed_at(turns_.rounds));
  return {turns_.end, pairs_of(&Round::candidate, undisturbed(turns_.rounds))};
}

/// With what it left on the device done.
std::shared_ptr<void> ModuleTurns::pause_candidate() {
  const auto end = [this](RunnerProcess::Pause* pause) {
    ran_while_paused_ = ran_while_paused_ || pause->ran();
    delete pause;
  };
  const std::shared_ptr<RunnerProcess::Pause> pause(new RunnerProcess::Pause(candidate_), end);
  const double begin = profiler::wall_seconds();
  while (prepared_.backend().settle() > kIdle && profiler::wall_seconds() - begin < kDrained) {
  }
  return pause;
}

bool ModuleTurns::enter(CaseTiming& measured, const Evidence& evidence) {
  const auto kept = undisturbed(turns_.rounds);
  const bool enough = turns_.end == SamplingEnd::enough;
  const auto entered = [&](SideOfRound side, double factor) {
    auto seconds = seconds_of(side, kept), all = seconds_of(side, turns_.rounds);
    for (auto* some : {&seconds, &all})
      for (double& one : *some) one *= factor;
    auto duration = to_duration(std::move(seconds), enough);
    if (!enough) {  // how far the others lie is all that is known of what the host does
      const auto interval = median_interval(all);
      duration.low = std::min(duration.low, interval.low);
      duration.high = std::max(duration.high, interval.high);
    }
    return duration;
  };
  const auto of_baseline = baseline_.weigh(pairs_of(&Round::baseline, kept));
  // A reply that is early by as much after both batches makes whole windows shorter, and slopes no smaller.
  // What both sides show alike is an overhead that was overestimated; of few pairs slopes are too rough, and
  // calls that take so long that there are few lose nothing to speak of by it.
  const double beyond = of_baseline.agreement > 0 ? evidence.agreement / of_baseline.agreement : 1;
  hidden_ = evidence.pairs >= kEnoughPairs && beyond > kMostAgreement ? beyond : 1;
  measured.cold = entered(&Round::candidate, hidden_);
  const auto before = case_.baseline;
  if (turns_.baseline_over || kept.empty() || baseline_.disturbed(of_baseline)) {
    if (!before || kept.empty()) return false;
    measured.baseline_cold = *before;
    return true;
  }
  measured.baseline_cold = entered(&Round::baseline, 1);
  if (before) measured.baseline_drift = measured.baseline_cold.median / before->median;
  if (ran_while_paused_ || evidence.dispute != Dispute::none)
    return true;  // nobody else is held against that
  case_.baseline = measured.baseline_cold;
  case_.baseline_confirmed = false;  // a candidate that takes no turns has it looked at
  case_.reference_seconds = measured.baseline_cold.median;
  return true;
}

std::vector<std::string> ModuleTurns::remarks() const {
  std::vector<std::string> found;
  const auto all = turns_.rounds.size(), kept = undisturbed(turns_.rounds).size();
  if (2 * kept < all)
    found.push_back(
        fmt::format("{} of {} rounds took longer than the quickest, and are left out: the host was busy",
                    all - kept, all));
  if (hidden_ != 1)
    found.push_back(
        fmt::format("its times are multiplied by {:.2f}, by which slopes exceed whole batches", hidden_));
  return found;
}

}  // namespace ridgeline::judge
