#include "engine/worker/judge/timed_slots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/worker/judge/slot_io.hpp"
#include "engine/worker/runner/wire.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kMostArena = std::size_t{48} << 20;       // bytes
constexpr std::size_t kMostRemembered = std::size_t{32} << 20;  // bytes of private copies
constexpr std::size_t kMostSlots = 768;
constexpr double kMostSpeedup = 100;  // over the reference, when guessing how many calls fill a batch
constexpr double kArrangeLimit = 10;  // seconds

}  // namespace

std::size_t timing_slots(const Task& task, const PreparedCase& one) {
  const SamplingLimits limits;
  const std::size_t arguments = std::max<std::size_t>(1, task.tensors().size());
  std::size_t most = std::min({kMostSlots, runner::kMaxPointers / arguments,
                               kMostArena / std::max<std::size_t>(1, slot_bytes(task, one.definition()))});
  if (one.reference_seconds > 0)
    most = std::min(most, 3 * calls_per_batch(one.reference_seconds / kMostSpeedup, kMostSlots, limits));
  return std::max<std::size_t>(3, most / 3 * 3);
}

TimedSlots::TimedSlots(PreparedTask& prepared, PreparedCase& one, RunnerProcess* runner)
    : prepared_(prepared),
      case_(one),
      arena_(*one.timing_arena),
      runner_(runner),
      instances_(arena_.slots()) {}

bool TimedSlots::prepare(std::size_t count, bool cold) {
  const auto& task = prepared_.task();
  for (std::size_t slot = 0; slot < count; ++slot) arena_.shift(slot);
  if (runner_) {
    const auto answer = runner_->arrange(arena_, count, task, case_.definition(), kArrangeLimit);
    const auto* reply = std::get_if<runner::Reply>(&answer);
    if (!reply || reply->answer != runner::Answer::ok) {
      refused_ = answer;
      return false;
    }
  }
  for (std::size_t slot = 0; slot < count; ++slot) {
    instances_[slot] = case_.next_instance(prepared_.random());
    fill_slot(task, arena_, slot, instances_[slot]);
  }
  if (cold)
    for (std::size_t slot = 0; slot < count; ++slot) arena_.flush(slot);
  return true;
}

bool TimedSlots::inspect(std::size_t first, std::size_t count) {
  if (!runner_) return true;
  const auto& task = prepared_.task();
  auto& random = prepared_.random();
  const std::size_t chosen = first + random.below(count);
  remember(chosen);  // at once: what is not there yet came too late
  if (const auto name = changed_input(task, arena_, chosen, instances_[chosen])) {
    fault_ = SlotFault{Reason::input_modified, fmt::format("a timed call changed the input `{}`", *name)};
    return false;
  }
  for (std::size_t slot = first; slot < first + count; ++slot) {
    if (const auto name = unwritten_output(task, arena_, slot, random)) {
      fault_ = SlotFault{Reason::wrong_when_timed, fmt::format("a timed call left `{}` unwritten", *name)};
      return false;
    }
    if (const auto damage = arena_.check_guards(slot)) {
      fault_ = SlotFault{Reason::out_of_bounds_write, "a timed call " + describe(*damage, task)};
      return false;
    }
  }
  return true;
}

/// Reservoir sampling (Vitter's algorithm R): every batch so far is kept with the same probability.
void TimedSlots::remember(std::size_t slot) {
  ++batches_;
  auto outputs = snapshot_outputs(prepared_.task(), case_.definition(), arena_, slot);
  std::size_t bytes = 0;
  for (const auto& output : outputs) bytes += output.nbytes();
  if (remembered_.empty() || remembered_bytes_ + bytes <= kMostRemembered) {
    remembered_.push_back({instances_[slot], std::move(outputs)});
    remembered_bytes_ += bytes;
    return;
  }
  const std::size_t place = prepared_.random().below(batches_);
  if (place < remembered_.size()) remembered_[place] = {instances_[slot], std::move(outputs)};
}

}  // namespace ridgeline::judge
