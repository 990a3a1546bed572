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

// Calls of a batch that are copied: at most so many, and at least kFewOfABatch of large outputs, of which
// copies of more would take longer than the calls.
constexpr std::size_t kMostOfABatch = 12;
constexpr std::size_t kFewOfABatch = 3;
constexpr std::size_t kSharesOfRoom = 16;     // of what is spared for copies, a batch may take one
constexpr std::size_t kLeastRemembered = 12;  // calls that are worth comparing even of other rounds
constexpr double kArrangeLimit = 10;          // seconds
// Opening takes at most so many times what its bytes take at the device's theoretical bandwidth, and so many
// seconds more. An H100 takes 1.5 to 1.8 times that.
constexpr double kOpeningShare = 3, kOpeningMore = 5e-6;
constexpr double kReachedBandwidth = 0.8;   // of the theoretical
constexpr std::size_t kSlotsOpened = 6;     // to learn what opening takes
constexpr std::size_t kSealedCompared = 8;  // sealed calls whose outputs are copied, of all batches
constexpr int kFillings = 4;                // of a batch's slots, while others use the device
constexpr std::size_t kMostText = 160;      // characters of a runner's claim that are shown

/// Returns the number of calls whose outputs fit into what the arena spares for copies.
std::size_t room_for(const Task& task, const Arena& arena) {
  std::size_t bytes = 0;
  const auto tensors = task.tensors();
  for (std::size_t a = 0; a < tensors.size(); ++a)
    if (tensors[a]->role != Role::in) bytes += arena.bytes(a);
  return arena.snapshot_bytes() / std::max<std::size_t>(1, bytes);
}

std::optional<SlotFault> fault_of(const InspectionResult& found, const Task& task) {
  if (found.changed_input)
    return SlotFault{Reason::input_modified,
                     fmt::format("a timed call changed the input `{}`", *found.changed_input)};
  if (found.unwritten)
    return SlotFault{Reason::wrong_when_timed,
                     fmt::format("a timed call left `{}` unwritten", *found.unwritten)};
  if (found.damage)
    return SlotFault{Reason::out_of_bounds_write, "a timed call " + describe(*found.damage, task)};
  return std::nullopt;
}

}  // namespace

TimedSlots::TimedSlots(PreparedTask& prepared, PreparedCase& prepared_case, RunnerProcess* runner)
    : prepared_(prepared),
      telemetry_(prepared.backend().telemetry()),
      case_(prepared_case),
      arena_(*prepared_case.timing_arena),
      runner_(runner),
      instances_(arena_.slots()),
      most_of_a_batch_(
          std::clamp(room_for(prepared.task(), arena_) / kSharesOfRoom, kFewOfABatch, kMostOfABatch)),
      sample_(room_for(prepared.task(), arena_)) {
  arena_.discard_fillings();  // an earlier candidate may have written there
}

bool TimedSlots::arrange(std::size_t count) {
  return place(count, {});
}

bool TimedSlots::prepare_rounds(const HotPlan& plan) {
  if (!place(plan.slots, {.calls = 3 * plan.calls, .replay = plan.replay ? plan.calls : 0})) return false;
  write(0, plan.slots, /*cold=*/false);
  return true;
}

/// Moves the first `count` slots. The runner learns the places before inputs are written: its workspace
/// function runs then, and must not see them.
bool TimedSlots::place(std::size_t count, const Rounds& rounds) {
  const auto& task = prepared_.task();
  for (std::size_t slot = 0; slot < count; ++slot) arena_.shift(slot);
  if (!runner_) return true;
  const profiler::ScopedMetric metric("timing.arrange");
  const auto answer = runner_->arrange(arena_, count, task, case_.definition(), kArrangeLimit, rounds);
  const auto* reply = std::get_if<runner::Reply>(&answer);
  if (!reply || reply->answer != runner::Answer::ok) {
    arrange_failure_ = answer;
    return false;
  }
  if (rounds.replay > 0 && reply->text_bytes > 0) {
    not_replayed_ = in_one_line({reply->text.data(), std::min<std::size_t>(reply->text_bytes, kMostText)});
    return false;
  }
  return true;
}

double TimedSlots::fill(std::size_t first, std::size_t count, bool cold) {
  const profiler::ScopedMetric metric("timing.fill");
  // A context that starts or ends takes the device for a moment, so what was interrupted is filled anew. Work
  // that a candidate left, which waits for its inputs, interrupts each time.
  double interruption = 0;
  for (int tries = 0; tries < kFillings; ++tries) {
    interruption = write(first, count, cold);
    if (interruption <= most_interruption) break;
  }
  return interruption;
}

void TimedSlots::fill_sealed(std::span<const std::uint64_t> keys) {
  const profiler::ScopedMetric metric("timing.fill");
  draw(0, keys.size(), /*cold=*/false);
  arena_.settle_sealed(keys);
}

void TimedSlots::draw(std::size_t first, std::size_t count, bool cold) {
  for (std::size_t slot = first; slot < first + count; ++slot) {
    instances_[slot] = case_.next_instance(prepared_.reference(), prepared_.random());
    arena_.fill(slot, instances_[slot]);
    if (cold) arena_.flush(slot);
  }
}

/// Draws inputs and writes the slots. Inputs are in no slot before the last step, which is watched.
double TimedSlots::write(std::size_t first, std::size_t count, bool cold) {
  draw(first, count, cold);
  const profiler::ScopedMetric metric("timing.fill.writes");
  if (!runner_) {  // the baseline in this process: nobody could wait for its inputs
    arena_.settle();
    return 0;
  }
  const double begin = profiler::wall_seconds();
  bool untouched = true;
  const double interruption = telemetry_.interruption_of([&] {
    // Copy engines work beside the judge's kernels, so the watch does not see them.
    untouched = arena_.settle_and_check_outputs(first, count, prepared_.random());
  });
  return untouched ? interruption : profiler::wall_seconds() - begin;
}

bool TimedSlots::inspect(std::size_t first, std::size_t count) {
  if (!runner_) return true;
  const profiler::ScopedMetric metric("timing.look");
  // Which slots are checked and copied is drawn after the calls, so that no candidate can know it.
  auto& random = prepared_.random();
  const std::size_t chosen = first + random.below(count);
  Inspection wanted{
      .first = first, .count = count, .filled = FilledSlot{chosen, &instances_[chosen]}, .places = &random};
  std::vector<std::size_t> places;  // in the sample, for each copied slot
  for (std::size_t i = 0; i < std::min(count, most_of_a_batch_); ++i)
    if (const auto place = sample_.offer(random)) {
      const std::size_t slot = i == 0 ? chosen : first + random.below(count);
      if (const auto same = std::ranges::find(places, *place); same != places.end()) {
        wanted.copied[static_cast<std::size_t>(same - places.begin())] = slot;
        continue;
      }
      places.push_back(*place);
      wanted.copied.push_back(slot);
    }
  auto found = arena_.inspect(wanted);
  for (std::size_t i = 0; i < places.size(); ++i)
    remember(wanted.copied[i], std::move(found.copies[i]), places[i]);
  fault_ = fault_of(found, prepared_.task());
  return !fault_;
}

double TimedSlots::opening_seconds(bool empties_cache) {
  double moved = 0;  // bytes: what is opened is read and written, what enters a digest is read
  for (const auto& argument : sealed_arguments())
    moved += static_cast<double>(argument.bytes) * (2.0 * argument.sealed + argument.digested);
  // What a candidate left on the device may run meanwhile, and would make it longer.
  const double most = kOpeningMore + kOpeningShare * moved / telemetry_.theoretical_bandwidth();
  return std::min(most, arena_.opening_seconds(std::min(kSlotsOpened, arena_.slots()), empties_cache));
}

double TimedSlots::write_back_seconds() const {
  return static_cast<double>(arena_.opened_bytes_in_cache()) /
         (kReachedBandwidth * telemetry_.theoretical_bandwidth());
}

bool TimedSlots::inspect_sealed(std::span<const std::uint64_t> keys,
                                std::span<const cuda::OutputDigest> digests, bool emptied_cache) {
  const profiler::ScopedMetric metric("timing.look");
  // Digests come first: whatever changes an output after this was not in time.
  const auto found_digests = arena_.digests(keys, emptied_cache);
  const bool kept = std::ranges::equal(found_digests, digests);
  auto& random = prepared_.random();
  const std::size_t chosen = random.below(keys.size());
  Inspection wanted{
      .first = 0, .count = keys.size(), .filled = FilledSlot{chosen, &instances_[chosen]}, .places = &random};
  const std::size_t room = std::min(kSealedCompared, room_for(prepared_.task(), arena_));
  for (std::size_t i = sealed_samples_.size(); i < room && wanted.copied.size() < (room + 1) / 2; ++i)
    if (const auto slot = random.below(keys.size());
        std::ranges::find(wanted.copied, slot) == wanted.copied.end())
      wanted.copied.push_back(slot);
  auto found = arena_.inspect(wanted);
  for (std::size_t i = 0; i < wanted.copied.size(); ++i)
    sealed_samples_.push_back({instances_[wanted.copied[i]], std::move(found.copies[i])});
  fault_ = fault_of(found, prepared_.task());
  if (!fault_ && !kept)
    fault_ = SlotFault{Reason::timing_disputed,
                       "an output changed after its call had been declared over, or the memory that is read "
                       "between calls was not read"};
  return !fault_;
}

void TimedSlots::remember(std::size_t slot, std::vector<at::Tensor> outputs, std::size_t place) {
  TimedCall call{instances_[slot], std::move(outputs), rounds_begun_ == 0 ? 0 : rounds_begun_ - 1};
  if (place == remembered_.size())
    remembered_.push_back(std::move(call));
  else
    remembered_[place] = std::move(call);
}

void TimedSlots::forget() {
  remembered_.clear();
  sealed_samples_.clear();
  sample_.clear();
  rounds_begun_ = 0;
}

void TimedSlots::keep_rounds(const std::vector<std::size_t>& rounds) {
  const auto others = std::ranges::partition(
      remembered_, [&](const auto& call) { return std::ranges::find(rounds, call.round) != rounds.end(); });
  const auto kept = static_cast<std::size_t>(others.begin() - remembered_.begin());
  remembered_.resize(std::min(remembered_.size(), std::max(kept, kLeastRemembered)));
  sample_.restart(remembered_.size());  // its places were those of the calls before
}

}  // namespace ridgeline::judge
