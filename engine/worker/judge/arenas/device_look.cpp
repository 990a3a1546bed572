// What a device arena sees after a batch: one list of copies and comparisons, and one wait for them all.
#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/cuda/driver.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/poison.hpp"
#include "engine/worker/judge/arenas/device_arena.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kPlaceBytes = 256;

void receive(void* to, CUdeviceptr from, std::size_t bytes) {
  if (bytes > 0) cuda::check(cuda::driver().cuMemcpyDtoH(to, from, bytes), "reading back from the device");
}

}  // namespace

/// What a comparison is about.
struct DeviceArena::About {
  enum class At { guard_before, guard_behind, input, place_called, place_ahead } at;
  std::size_t slot, argument;
};

struct DeviceArena::Look {
  std::vector<cuda::Move> moves;
  std::vector<cuda::Compare> compares;
  std::vector<About> about;
  std::vector<std::size_t> made_anew;  // inputs whose values lie nowhere: held against them afterwards
  Findings found;

  void compare(cuda::Compare job, About what) {
    compares.push_back(job);
    about.push_back(what);
  }
};

Findings DeviceArena::look(const Inspection& wanted) const {
  Look look;
  const std::size_t end = wanted.first + wanted.count;
  for (const std::size_t slot : wanted.copied) copy_outputs(slot, look);
  for (std::size_t slot = wanted.first; slot < end; ++slot) look_at_guards(slot, look);
  if (wanted.filled) look_at_inputs(*wanted.filled, look);
  if (wanted.places != nullptr) {
    for (std::size_t slot = wanted.first; slot < end; ++slot)
      look_at_places(slot, /*ahead=*/false, *wanted.places, look);
    for (std::size_t slot = end; slot < end + wanted.ahead; ++slot)
      look_at_places(slot, /*ahead=*/true, *wanted.places, look);
  }
  const auto different = tools_.jobs().run(look.moves, look.compares);
  for (std::size_t i = 0; i < different.size(); ++i)
    if (different[i].has_value() != (look.about[i].at == About::At::place_called))
      note(look.about[i], look.found);
  if (wanted.filled) look_at_inputs_made_anew(*wanted.filled, look);
  return std::move(look.found);
}

/// That something is not as it should be; the first of a kind counts.
void DeviceArena::note(const About& about, Findings& found) const {
  const auto name = [&](std::optional<std::string>& place) {
    if (!place) place = tensors_[about.argument]->name;
  };
  switch (about.at) {
    case About::At::guard_before:
    case About::At::guard_behind:
      if (!found.damage)
        found.damage = locate(about.slot, about.argument, about.at == About::At::guard_behind);
      break;
    case About::At::input:
      name(found.changed_input);
      break;
    case About::At::place_called:
      name(found.unwritten);
      break;
    case About::At::place_ahead:
      name(found.early);
      break;
  }
}

void DeviceArena::copy_outputs(std::size_t slot, Look& look) const {
  auto& copies = look.found.copies.emplace_back();
  for (std::size_t a = 0; a < arguments(); ++a) {
    if (tensors_[a]->role == Role::in) continue;
    auto copy = at::empty(shape_of(*tensors_[a], case_.sizes), options_of(*tensors_[a], judged_there_));
    if (!judged_there_)
      receive(copy.data_ptr(), data(slot, a), bytes(a));
    else if (bytes(a) > 0)
      look.moves.push_back({address_of(copy), data(slot, a), bytes(a), 0});
    copies.push_back(std::move(copy));
  }
}

void DeviceArena::look_at_guards(std::size_t slot, Look& look) const {
  for (std::size_t a = 0; a < arguments(); ++a) {
    look.compare({data(slot, a) - kGuardBytes, 0, kGuardBytes, guard_}, {About::At::guard_before, slot, a});
    look.compare({data(slot, a) + bytes(a), 0, kGuardBytes, guard_}, {About::At::guard_behind, slot, a});
  }
}

GuardDamage DeviceArena::locate(std::size_t slot, std::size_t argument, bool behind) const {
  std::array<std::byte, kGuardBytes> seen{};
  receive(seen.data(), behind ? data(slot, argument) + bytes(argument) : data(slot, argument) - kGuardBytes,
          seen.size());
  const auto intact = [&](std::size_t at) {
    return seen[at] == static_cast<std::byte>(guard_ >> (8 * (at % sizeof guard_)));
  };
  std::size_t distance = 0;
  while (distance + 1 < seen.size() && intact(behind ? distance : seen.size() - 1 - distance)) ++distance;
  return {argument, behind, distance};
}

void DeviceArena::look_at_inputs(const Filled& filled, Look& look) const {
  each_input([&](const Tensor& tensor, std::size_t a, std::size_t input) {
    if (tensor.role != Role::in || bytes(a) == 0) return;
    if (const auto clean = place_of_input(filled, input))
      look.compare({data(filled.slot, a), *clean, bytes(a), 0}, {About::At::input, filled.slot, a});
    else
      look.made_anew.push_back(a);
  });
}

/// Where on the device the values are that an input was filled with, if they are.
std::optional<CUdeviceptr> DeviceArena::place_of_input(const Filled& filled, std::size_t input) const {
  if (const auto* const* tensors = std::get_if<const std::vector<at::Tensor>*>(&filled.inputs)) {
    const auto& values = (**tensors)[input];
    return values.is_cpu() ? std::nullopt : std::optional(address_of(values));
  }
  const auto& instance = *std::get<const Instance*>(filled.inputs);
  const auto window = instance.pool->window(instance.number, input);
  return window ? std::optional(tools_.place_of(instance, *window)) : std::nullopt;
}

/// Drawing them takes its time, in which outputs that are late would arrive.
void DeviceArena::look_at_inputs_made_anew(const Filled& filled, Look& look) const {
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (std::ranges::find(look.made_anew, a) == look.made_anew.end()) return;
    const void* values = nullptr;
    std::vector<std::byte> drawn;
    if (const auto* const* instance = std::get_if<const Instance*>(&filled.inputs)) {
      drawn.resize(bytes(a));
      (*instance)->pool->refill((*instance)->number, input, drawn.data());
      values = drawn.data();
    } else {
      values = (*std::get<0>(filled.inputs))[input].const_data_ptr();
    }
    const cuda::Compare job{data(filled.slot, a), tools_.scratch(values, bytes(a)), bytes(a), 0};
    if (tools_.jobs().run({job}).front()) note({About::At::input, filled.slot, a}, look.found);
  });
}

/// A short range at random of each out tensor of fixed size, against its poison.
void DeviceArena::look_at_places(std::size_t slot, bool ahead, Random& random, Look& look) const {
  for (std::size_t a = 0; a < arguments(); ++a) {
    const auto& tensor = *tensors_[a];
    if (tensor.role != Role::out || !tensor.count.empty() || bytes(a) == 0) continue;
    const std::size_t element = size_of(tensor.dtype), length = std::min(kPlaceBytes, bytes(a));
    const std::size_t begin = random.below((bytes(a) - length) / element + 1) * element;
    if (!ahead && length < 16 && element < 4) continue;  // so few bytes may by right be what the poison is
    look.compare({data(slot, a) + begin, 0, length, verifier::poison_word(tensor.dtype)},
                 {ahead ? About::At::place_ahead : About::At::place_called, slot, a});
  }
}

}  // namespace ridgeline::judge
