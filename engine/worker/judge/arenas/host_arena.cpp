#include "engine/worker/judge/arenas/host_arena.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/poison.hpp"
#include "profiler/cache_flush.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kUnit = 64;           // the key's length; data begins at multiples of it
constexpr std::size_t kCheckedPlaces = 16;  // of each output of a called slot

/// The length of the common prefix of two ranges.
std::size_t same_prefix(const std::byte* a, const std::byte* b, std::size_t bytes) {
  std::size_t i = 0;
  while (i < bytes && a[i] == b[i]) ++i;
  return i;
}

/// The length of the common suffix of two ranges.
std::size_t same_suffix(const std::byte* a, const std::byte* b, std::size_t bytes) {
  std::size_t i = 0;
  while (i < bytes && a[bytes - 1 - i] == b[bytes - 1 - i]) ++i;
  return i;
}

}  // namespace

HostArena::HostArena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret)
    : Arena(task, one, slots, secret, {}) {
  for (const auto bytes : least_bytes()) files_.emplace_back(bytes);
  std::vector<bool> written(files_.size(), false);
  for (std::size_t a = 0; a < arguments(); ++a)
    if (tensors_[a]->role != Role::in) written[memory_of(a)] = true;
  // A module's arguments are an interpreter's, which get no other descriptors; some have a thousand weights.
  for (std::size_t memory = 0; memory < files_.size(); ++memory)
    reading_.push_back(written[memory] || task.module ? FileDescriptor() : files_[memory].open_for_reading());
  Random random(~secret);
  std::byte key[kUnit];
  for (std::size_t i = 0; i < kUnit; i += sizeof(std::uint64_t)) {
    const auto word = random.next();
    std::memcpy(key + i, &word, sizeof word);
  }
  pattern_.resize(kGuardBytes + kUnit);
  for (std::size_t i = 0; i < pattern_.size(); ++i) pattern_[i] = key[i % kUnit];
  for (std::size_t slot = 0; slot < slots; ++slot) shift(slot);
}

std::byte* HostArena::data(std::size_t slot, std::size_t argument) const {
  return files_[memory_of(argument)].data() + offset(slot, argument);
}

std::size_t HostArena::host_bytes() const {
  std::size_t sum = 0;
  for (std::size_t memory = 0; memory < memories(); ++memory) sum += memory_bytes(memory);
  return sum;
}

void HostArena::clear() {
  discard_fillings();
  for (const auto& file : files_) std::memset(file.data(), 0, file.bytes());
}

void HostArena::write_guards(std::size_t slot) {
  for (std::size_t a = 0; a < arguments(); ++a) {
    std::byte* begin = data(slot, a);
    std::memcpy(begin - kGuardBytes, pattern_.data(), kGuardBytes);
    std::memcpy(begin + bytes(a), pattern_.data() + bytes(a) % kUnit, kGuardBytes);
  }
}

std::optional<GuardDamage> HostArena::check_slot(std::size_t slot) const {
  for (std::size_t a = 0; a < arguments(); ++a) {
    const std::byte* begin = data(slot, a);
    const std::byte* behind = begin + bytes(a);
    const std::byte* expected = pattern_.data() + bytes(a) % kUnit;
    if (std::memcmp(behind, expected, kGuardBytes) != 0)
      return GuardDamage{a, true, same_prefix(behind, expected, kGuardBytes)};
    if (std::memcmp(begin - kGuardBytes, pattern_.data(), kGuardBytes) != 0)
      return GuardDamage{a, false, same_suffix(begin - kGuardBytes, pattern_.data(), kGuardBytes)};
  }
  return std::nullopt;
}

InspectionResult HostArena::inspect(const Inspection& inspection) const {
  InspectionResult result;
  const std::size_t end = inspection.first + inspection.count;
  for (const std::size_t slot : inspection.copied) result.copies.push_back(copy_outputs(slot));
  if (inspection.filled) result.changed_input = changed_input(*inspection.filled);
  if (inspection.places != nullptr)
    result.unwritten = unwritten_output(inspection.first, inspection.count, *inspection.places);
  for (std::size_t slot = inspection.first; slot < end && !result.damage; ++slot)
    result.damage = check_slot(slot);
  return result;
}

void HostArena::poison_outputs(std::size_t slot) {
  for (std::size_t a = 0; a < arguments(); ++a)
    if (tensors_[a]->role == Role::out) verifier::poison(tensors_[a]->dtype, data(slot, a), bytes(a));
}

void HostArena::fill(std::size_t slot, const std::vector<at::Tensor>& inputs) {
  poison_outputs(slot);
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (must_fill(a)) std::memcpy(data(slot, a), inputs[input].const_data_ptr(), bytes(a));
  });
}

void HostArena::fill(std::size_t slot, const Instance& instance) {
  poison_outputs(slot);
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (must_fill(a)) instance.stream->refill(instance.number, input, data(slot, a));
  });
}

void HostArena::flush(std::size_t slot) {
  for (std::size_t a = 0; a < arguments(); ++a)
    if (!shared(a) || slot == 0) profiler::flush_from_caches(data(slot, a), bytes(a));
}

std::optional<std::string> HostArena::changed_input(const FilledSlot& filled) const {
  std::optional<std::string> changed;
  each_input([&](const Tensor& tensor, std::size_t a, std::size_t input) {
    if (changed || tensor.role != Role::in) return;
    const std::byte* seen = data(filled.slot, a);
    const auto* const* instance = std::get_if<const Instance*>(&filled.inputs);
    const bool same =
        instance ? (*instance)->stream->unchanged((*instance)->number, input, seen)
                 : std::memcmp(seen, (*std::get<0>(filled.inputs))[input].const_data_ptr(), bytes(a)) == 0;
    if (!same) changed = tensor.name;
  });
  return changed;
}

std::vector<at::Tensor> HostArena::copy_outputs(std::size_t slot) const {
  std::vector<at::Tensor> outputs;
  for (std::size_t a = 0; a < arguments(); ++a) {
    if (tensors_[a]->role == Role::in) continue;
    auto copy = at::empty(shape_of(*tensors_[a], case_.sizes),
                          at::TensorOptions().dtype(verifier::scalar_type(tensors_[a]->dtype)));
    std::memcpy(copy.data_ptr(), data(slot, a), bytes(a));
    outputs.push_back(std::move(copy));
  }
  return outputs;
}

std::vector<std::vector<at::Tensor>> HostArena::inputs_of(const std::vector<Instance>& instances) const {
  std::vector<std::vector<at::Tensor>> inputs;
  for (const auto& instance : instances) inputs.push_back(instance.stream->rebuild(instance.number));
  return inputs;
}

std::vector<at::Tensor> HostArena::view_inputs(std::size_t slot) const {
  std::vector<at::Tensor> views;
  each_input([&](const Tensor& tensor, std::size_t a, std::size_t) {
    views.push_back(verifier::view_of(data(slot, a), tensor, case_.sizes));
  });
  return views;
}

std::optional<std::string> HostArena::unwritten_output(std::size_t first, std::size_t count,
                                                       Random& random) const {
  for (std::size_t slot = first; slot < first + count; ++slot)
    for (std::size_t a = 0; a < arguments(); ++a) {
      const auto& tensor = *tensors_[a];
      const std::size_t element = size_of(tensor.dtype), elements = bytes(a) / element;
      // A data-dependent output may be written partly, so its count is needed first.
      if (tensor.role != Role::out || !tensor.count.empty() || elements == 0) continue;
      std::size_t unwritten = 0;
      for (std::size_t place = 0; place < kCheckedPlaces; ++place)
        unwritten += verifier::is_poison(tensor.dtype, data(slot, a) + random.below(elements) * element);
      // A single byte may rightly equal the poison; sixteen bytes at random places do not.
      if (unwritten == kCheckedPlaces || (unwritten > 0 && element >= 4)) return tensor.name;
    }
  return std::nullopt;
}

}  // namespace ridgeline::judge
