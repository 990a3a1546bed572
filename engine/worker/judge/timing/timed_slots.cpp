#include "engine/worker/judge/timing/timed_slots.hpp"
#include "engine/core/one_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/worker/runner/wire.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kRememberedOfABatch = 3;
constexpr std::size_t kLeastRemembered = 12;  // of turns that were chosen and others, if there are so many
constexpr double kArrangeLimit = 10;          // seconds
constexpr std::size_t kMostText = 160;

/// Calls whose outputs may be kept.
std::size_t room_for(const Task& task, const Arena& arena) {
  std::size_t bytes = 0;
  const auto tensors = task.tensors();
  for (std::size_t a = 0; a < tensors.size(); ++a)
    if (tensors[a]->role != Role::in) bytes += arena.bytes(a);
  return arena.snapshot_bytes() / std::max<std::size_t>(1, bytes);
}

}  // namespace

TimedSlots::TimedSlots(PreparedTask& prepared, PreparedCase& one, RunnerProcess* runner)
    : prepared_(prepared),
      case_(one),
      arena_(*one.timing_arena),
      runner_(runner),
      instances_(arena_.slots()),
      sample_(room_for(prepared.task(), arena_)) {
  arena_.forget_shared();  // an earlier candidate may have written there
}

bool TimedSlots::prepare(std::size_t count, bool cold) {
  const profiler::ScopedMetric metric("timing.fill");
  if (!refill(count, {})) return false;
  if (cold)
    for (std::size_t slot = 0; slot < count; ++slot) arena_.flush(slot);
  arena_.settle();
  return true;
}

bool TimedSlots::prepare_rounds(const HotPlan& plan) {
  if (!refill(plan.slots, {.calls = 3 * plan.calls, .replay = plan.replay ? plan.calls : 0})) return false;
  arena_.settle();
  return true;
}

/// The first `count` slots.
bool TimedSlots::refill(std::size_t count, const Rounds& rounds) {
  const auto& task = prepared_.task();
  for (std::size_t slot = 0; slot < count; ++slot) arena_.shift(slot);
  if (runner_) {
    const auto answer = runner_->arrange(arena_, count, task, case_.definition(), kArrangeLimit, rounds);
    const auto* reply = std::get_if<runner::Reply>(&answer);
    if (!reply || reply->answer != runner::Answer::ok) {
      refused_ = answer;
      return false;
    }
    if (rounds.replay > 0 && reply->text_bytes > 0) {
      not_replayed_ = in_one_line({reply->text.data(), std::min<std::size_t>(reply->text_bytes, kMostText)});
      return false;
    }
  }
  for (std::size_t slot = 0; slot < count; ++slot) {
    instances_[slot] = case_.next_instance(prepared_.reference(), prepared_.random());
    arena_.fill(slot, instances_[slot]);
  }
  return true;
}

bool TimedSlots::inspect(std::size_t first, std::size_t count) {
  if (!runner_) return true;
  const profiler::ScopedMetric metric("timing.look");
  const auto& task = prepared_.task();
  auto& random = prepared_.random();
  const std::size_t chosen = first + random.below(count);
  remember(chosen);  // at once: what is not there yet came too late
  for (std::size_t more = 1; more < std::min(count, kRememberedOfABatch); ++more)
    remember(first + random.below(count));
  if (const auto name = arena_.changed_input(chosen, instances_[chosen])) {
    fault_ = SlotFault{Reason::input_modified, fmt::format("a timed call changed the input `{}`", *name)};
    return false;
  }
  if (const auto name = arena_.unwritten_output(first, count, random)) {
    fault_ = SlotFault{Reason::wrong_when_timed, fmt::format("a timed call left `{}` unwritten", *name)};
    return false;
  }
  if (const auto damage = arena_.check_guards(first, count)) {
    fault_ = SlotFault{Reason::out_of_bounds_write, "a timed call " + describe(*damage, task)};
    return false;
  }
  return true;
}

bool TimedSlots::untouched(std::size_t first, std::size_t count) {
  if (!runner_) return true;
  const auto name = arena_.early_output(first, count, prepared_.random());
  if (!name) return true;
  fault_ = SlotFault{Reason::wrong_when_timed,
                     fmt::format("a timed call wrote `{}` of a later call, before that was made", *name)};
  return false;
}

void TimedSlots::remember(std::size_t slot) {
  const profiler::ScopedMetric metric("timing.remember");
  const auto place = sample_.offer(prepared_.random());
  if (!place) return;
  TimedCall call{instances_[slot], arena_.snapshot_outputs(slot), turns_ == 0 ? 0 : turns_ - 1};
  if (*place == remembered_.size())
    remembered_.push_back(std::move(call));
  else
    remembered_[*place] = std::move(call);
}

void TimedSlots::forget() {
  remembered_.clear();
  sample_.clear();
  turns_ = 0;
}

void TimedSlots::keep_turns(const std::vector<std::size_t>& turns) {
  const auto others = std::ranges::partition(
      remembered_, [&](const auto& call) { return std::ranges::find(turns, call.turn) != turns.end(); });
  const auto kept = static_cast<std::size_t>(others.begin() - remembered_.begin());
  remembered_.resize(std::min(remembered_.size(), std::max(kept, kLeastRemembered)));
  sample_.clear();  // places are others now
}

}  // namespace ridgeline::judge
