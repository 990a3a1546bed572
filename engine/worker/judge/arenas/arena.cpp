#include "engine/worker/judge/arenas/arena.hpp"

#include <fmt/format.h>

#include <atomic>

#include "engine/worker/runner/wire.hpp"

namespace ridgeline::judge {

namespace {
std::atomic<std::uint64_t> last_number = 0;
}

std::size_t ArenaLayout::stride(std::size_t bytes) const {
  const std::size_t whole = 2 * kGuardBytes + kShiftSteps * unit + bytes;
  return (whole + page - 1) / page * page;
}

std::size_t slot_bytes(const Task& task, const Case& one, const ArenaLayout& layout) {
  std::size_t sum = 0;
  for (const auto* tensor : task.tensors())
    if (tensor->state.empty()) sum += layout.stride(byte_count(*tensor, one.sizes));
  return sum;
}

Arena::Arena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret,
             const ArenaLayout& layout)
    : task_(task),
      case_(one),
      tensors_(task.tensors()),
      layout_(layout),
      number_(++last_number),
      slots_(slots),
      random_(secret) {
  const bool together = tensors_.size() > runner::kMaxMemories;
  std::optional<std::size_t> of_state;
  for (std::size_t a = 0; a < tensors_.size(); ++a) {
    const auto bytes = byte_count(*tensors_[a], one.sizes), stride = layout_.stride(bytes);
    const bool joins = together && shared(a) && of_state;
    if (!joins) memories_.push_back(0);
    const auto memory = joins ? *of_state : memories_.size() - 1;
    if (together && shared(a)) of_state = memory;
    arguments_.push_back({bytes, stride, memory, memories_[memory]});
    memories_[memory] += stride * copies(a);
  }
  shifts_.resize(slots * arguments_.size());
  shared_filled_.resize(arguments_.size());
}

std::size_t Arena::bytes_per_slot() const {
  std::size_t sum = 0;
  for (std::size_t a = 0; a < arguments_.size(); ++a)
    if (!shared(a)) sum += arguments_[a].stride;
  return sum;
}

std::size_t Arena::offset(std::size_t slot, std::size_t argument) const {
  const auto begin = arguments_[argument].begin;
  if (shared(argument)) return begin + kGuardBytes;
  return begin + slot * arguments_[argument].stride + kGuardBytes +
         shifts_[slot * arguments_.size() + argument] * layout_.unit;
}

Arena::Range Arena::range_of(std::size_t argument) const {
  const auto& one = arguments_[argument];
  const auto end = one.begin + one.stride * copies(argument);
  // Of a piece of its own also what rounding added.
  const bool alone = one.begin == 0 && end == memories_[one.memory];
  return {one.begin, alone ? memory_bytes(one.memory) : end};
}

void Arena::shift(std::size_t slot) {
  for (std::size_t a = 0; a < arguments_.size(); ++a)
    shifts_[slot * arguments_.size() + a] = static_cast<std::uint32_t>(random_.below(kShiftSteps));
  write_guards(slot);
}

std::string describe(const GuardDamage& damage, const Task& task) {
  const auto& tensor = *task.tensors()[damage.argument];
  // A byte may by chance be what the guard held, so only whole elements are told.
  const std::size_t elements = damage.distance / size_of(tensor.dtype) + 1;
  if (damage.behind)
    return fmt::format("wrote outside `{}`: element {} past its end; check the last iteration's bounds",
                       tensor.name, elements);
  return fmt::format("wrote outside `{}`: element {} before its begin; check for negative indices",
                     tensor.name, elements);
}

}  // namespace ridgeline::judge
