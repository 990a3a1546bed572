#include "engine/worker/judge/arena.hpp"

#include <fmt/format.h>

#include <cstring>

#include "profiler/cache_flush.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kUnit = 64;
constexpr std::size_t kPage = 4096;

std::size_t stride_of(std::size_t bytes) {
  const std::size_t whole = 2 * kGuardBytes + kShiftSteps * kUnit + bytes;
  return (whole + kPage - 1) / kPage * kPage;
}

/// Length of the common prefix of two ranges.
std::size_t same_prefix(const std::byte* a, const std::byte* b, std::size_t bytes) {
  std::size_t i = 0;
  while (i < bytes && a[i] == b[i]) ++i;
  return i;
}

std::size_t same_suffix(const std::byte* a, const std::byte* b, std::size_t bytes) {
  std::size_t i = 0;
  while (i < bytes && a[bytes - 1 - i] == b[bytes - 1 - i]) ++i;
  return i;
}

}  // namespace

std::size_t slot_bytes(const Task& task, const Case& one) {
  std::size_t sum = 0;
  for (const auto* tensor : task.tensors()) sum += stride_of(byte_count(*tensor, one.sizes));
  return sum;
}

Arena::Arena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret)
    : slots_(slots), random_(secret) {
  for (const auto* tensor : task.tensors()) {
    const auto bytes = byte_count(*tensor, one.sizes);
    arguments_.push_back({MemoryFile(stride_of(bytes) * slots), bytes, stride_of(bytes)});
  }
  shifts_.resize(slots * arguments_.size());
  std::byte key[kUnit];
  for (std::size_t i = 0; i < kUnit; i += sizeof(std::uint64_t)) {
    const auto word = random_.next();
    std::memcpy(key + i, &word, sizeof word);
  }
  pattern_.resize(kGuardBytes + kUnit);
  for (std::size_t i = 0; i < pattern_.size(); ++i) pattern_[i] = key[i % kUnit];
  for (std::size_t slot = 0; slot < slots; ++slot) shift(slot);
}

std::size_t Arena::bytes_per_slot() const {
  std::size_t sum = 0;
  for (const auto& argument : arguments_) sum += argument.stride;
  return sum;
}

std::size_t Arena::offset(std::size_t slot, std::size_t argument) const {
  return slot * arguments_[argument].stride + kGuardBytes +
         shifts_[slot * arguments_.size() + argument] * kUnit;
}

std::byte* Arena::data(std::size_t slot, std::size_t argument) const {
  return arguments_[argument].file.data() + offset(slot, argument);
}

void Arena::shift(std::size_t slot) {
  for (std::size_t a = 0; a < arguments_.size(); ++a) {
    shifts_[slot * arguments_.size() + a] = static_cast<std::uint32_t>(random_.below(kShiftSteps));
    std::byte* begin = data(slot, a);
    const std::size_t bytes = arguments_[a].bytes;
    std::memcpy(begin - kGuardBytes, pattern_.data(),
                kGuardBytes);  // data lies on a multiple of the key's length
    std::memcpy(begin + bytes, pattern_.data() + bytes % kUnit, kGuardBytes);
  }
}

std::optional<GuardDamage> Arena::check_guards(std::size_t slot) const {
  for (std::size_t a = 0; a < arguments_.size(); ++a) {
    const std::byte* begin = data(slot, a);
    const std::size_t bytes = arguments_[a].bytes;
    const std::byte* expected = pattern_.data() + bytes % kUnit;
    if (std::memcmp(begin + bytes, expected, kGuardBytes) != 0)
      return GuardDamage{a, true, same_prefix(begin + bytes, expected, kGuardBytes)};
    if (std::memcmp(begin - kGuardBytes, pattern_.data(), kGuardBytes) != 0)
      return GuardDamage{a, false, same_suffix(begin - kGuardBytes, pattern_.data(), kGuardBytes)};
  }
  return std::nullopt;
}

void Arena::flush(std::size_t slot) const {
  for (std::size_t a = 0; a < arguments_.size(); ++a)
    profiler::flush_from_caches(data(slot, a), arguments_[a].bytes);
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
