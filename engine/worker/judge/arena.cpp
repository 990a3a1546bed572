#include "engine/worker/judge/arena.hpp"

#include <fmt/format.h>

namespace ridgeline::judge {

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
    : task_(task), case_(one), tensors_(task.tensors()), layout_(layout), slots_(slots), random_(secret) {
  for (const auto* tensor : tensors_) {
    const auto bytes = byte_count(*tensor, one.sizes);
    arguments_.push_back({bytes, layout_.stride(bytes)});
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
  if (shared(argument)) return kGuardBytes;
  return slot * arguments_[argument].stride + kGuardBytes +
         shifts_[slot * arguments_.size() + argument] * layout_.unit;
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
