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
  // A socket message carries a limited number of descriptors, so many weights share one piece of memory.
  const bool share_state = tensors_.size() > runner::kMaxMemories;
  std::optional<std::size_t> state_memory;
  for (std::size_t a = 0; a < tensors_.size(); ++a) {
    const auto bytes = byte_count(*tensors_[a], one.sizes), stride = layout_.stride(bytes);
    const bool joins = share_state && shared(a) && state_memory;
    if (!joins) memories_.push_back(0);
    const auto memory = joins ? *state_memory : memories_.size() - 1;
    if (share_state && shared(a)) state_memory = memory;
    arguments_.push_back({bytes, stride, memory, memories_[memory]});
    memories_[memory] += stride * copies(a);
  }
  shifts_.resize(slots * arguments_.size());
  shared_filled_.resize(arguments_.size());
}

std::vector<runner::SealedArgument> Arena::sealed_arguments() const {
  std::vector<runner::SealedArgument> all;
  for (std::size_t a = 0; a < arguments_.size(); ++a) {
    const auto role = tensors_[a]->role;
    all.push_back({.bytes = bytes(a),
                   .sealed = !shared(a) && role != Role::out ? 1u : 0u,
                   .digested = !shared(a) && role != Role::in ? 1u : 0u});
  }
  return all;
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
  const auto& layout = arguments_[argument];
  const auto end = layout.begin + layout.stride * copies(argument);
  // A piece with a single argument belongs to it entirely, with what rounding added.
  const bool alone = layout.begin == 0 && end == memories_[layout.memory];
  return {layout.begin, alone ? memory_bytes(layout.memory) : end};
}

void Arena::shift(std::size_t slot) {
  for (std::size_t a = 0; a < arguments_.size(); ++a)
    shifts_[slot * arguments_.size() + a] = static_cast<std::uint32_t>(random_.below(kShiftSteps));
  write_guards(slot);
}

std::string describe(const GuardDamage& damage, const Task& task) {
  const auto& tensor = *task.tensors()[damage.argument];
  // A changed byte may equal the guard's by chance, so only whole elements are reported.
  const std::size_t elements = damage.distance / size_of(tensor.dtype) + 1;
  if (damage.behind)
    return fmt::format("wrote outside `{}`: element {} past its end; check the last iteration's bounds",
                       tensor.name, elements);
  return fmt::format("wrote outside `{}`: element {} before its begin; check for negative indices",
                     tensor.name, elements);
}

}  // namespace ridgeline::judge
