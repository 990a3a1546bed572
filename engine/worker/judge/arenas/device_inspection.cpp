// Inspects a device arena after a batch: one list of copies and comparisons, and one wait for them all.
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

constexpr std::size_t kPlaceBytes = 256;  // compared at a random place of an output

void receive(void* to, CUdeviceptr from, std::size_t bytes) {
  if (bytes > 0) cuda::check(cuda::driver().cuMemcpyDtoH(to, from, bytes), "reading back from the device");
}

}  // namespace

/// Names the memory that one comparison checks: a place in or around an argument's buffer in a slot.
struct DeviceArena::Subject {
  enum class At { guard_before, guard_behind, input, place_called, place_ahead } at;
  std::size_t slot, argument;
};

/// The copies and comparisons of one inspection, and its result.
struct DeviceArena::InspectionJobs {
  std::vector<cuda::Move> moves;
  std::vector<cuda::Compare> compares;
  std::vector<Subject> subjects;
  std::vector<std::size_t> redrawn;  // inputs whose values are nowhere on the device: compared afterwards
  InspectionResult result;

  void compare(cuda::Compare job, Subject subject) {
    compares.push_back(job);
    subjects.push_back(subject);
  }
};

InspectionResult DeviceArena::inspect(const Inspection& inspection) const {
  InspectionJobs jobs;
  const std::size_t end = inspection.first + inspection.count;
  for (const std::size_t slot : inspection.copied) copy_outputs(slot, jobs);
  for (std::size_t slot = inspection.first; slot < end; ++slot) check_guards_of(slot, jobs);
  if (inspection.filled) check_inputs(*inspection.filled, jobs);
  if (inspection.places != nullptr) {
    for (std::size_t slot = inspection.first; slot < end; ++slot)
      check_places(slot, /*ahead=*/false, *inspection.places, jobs);
    for (std::size_t slot = end; slot < end + inspection.ahead; ++slot)
      check_places(slot, /*ahead=*/true, *inspection.places, jobs);
  }
  const auto different = tools_.jobs().run(jobs.moves, jobs.compares);
  // Everything must equal its expectation, except for called outputs, which must differ from their poison.
  for (std::size_t i = 0; i < different.size(); ++i)
    if (different[i].has_value() != (jobs.subjects[i].at == Subject::At::place_called))
      record(jobs.subjects[i], jobs.result);
  if (inspection.filled) check_redrawn_inputs(*inspection.filled, jobs);
  return std::move(jobs.result);
}

/// Records that something is wrong; the first of each kind counts.
void DeviceArena::record(const Subject& subject, InspectionResult& result) const {
  const auto set_name = [&](std::optional<std::string>& name) {
    if (!name) name = tensors_[subject.argument]->name;
  };
  switch (subject.at) {
    case Subject::At::guard_before:
    case Subject::At::guard_behind:
      if (!result.damage)
        result.damage = locate(subject.slot, subject.argument, subject.at == Subject::At::guard_behind);
      break;
    case Subject::At::input:
      set_name(result.changed_input);
      break;
    case Subject::At::place_called:
      set_name(result.unwritten);
      break;
    case Subject::At::place_ahead:
      set_name(result.early);
      break;
  }
}

void DeviceArena::copy_outputs(std::size_t slot, InspectionJobs& jobs) const {
  auto& copies = jobs.result.copies.emplace_back();
  for (std::size_t a = 0; a < arguments(); ++a) {
    if (tensors_[a]->role == Role::in) continue;
    auto copy = at::empty(shape_of(*tensors_[a], case_.sizes), options_of(*tensors_[a], judged_on_device_));
    if (!judged_on_device_)
      receive(copy.data_ptr(), data(slot, a), bytes(a));
    else if (bytes(a) > 0)
      jobs.moves.push_back({address_of(copy), data(slot, a), bytes(a), 0});
    copies.push_back(std::move(copy));
  }
}

void DeviceArena::check_guards_of(std::size_t slot, InspectionJobs& jobs) const {
  for (std::size_t a = 0; a < arguments(); ++a) {
    jobs.compare({data(slot, a) - kGuardBytes, 0, kGuardBytes, guard_}, {Subject::At::guard_before, slot, a});
    jobs.compare({data(slot, a) + bytes(a), 0, kGuardBytes, guard_}, {Subject::At::guard_behind, slot, a});
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

void DeviceArena::check_inputs(const FilledSlot& filled, InspectionJobs& jobs) const {
  each_input([&](const Tensor& tensor, std::size_t a, std::size_t input) {
    if (tensor.role != Role::in || bytes(a) == 0) return;
    if (const auto expected = place_of_input(filled, input))
      jobs.compare({data(filled.slot, a), *expected, bytes(a), 0}, {Subject::At::input, filled.slot, a});
    else
      jobs.redrawn.push_back(a);
  });
}

/// The device address of the values that an input was filled with; empty if they are not on the device.
std::optional<CUdeviceptr> DeviceArena::place_of_input(const FilledSlot& filled, std::size_t input) const {
  if (const auto* const* tensors = std::get_if<const std::vector<at::Tensor>*>(&filled.inputs)) {
    const auto& values = (**tensors)[input];
    return values.is_cpu() ? std::nullopt : std::optional(address_of(values));
  }
  const auto& instance = *std::get<const Instance*>(filled.inputs);
  const auto window = instance.pool->window(instance.number, input);
  return window ? std::optional(tools_.place_of(instance, *window)) : std::nullopt;
}

/// Compares inputs whose values must be drawn again. It runs last: drawing takes time in which late outputs
/// would arrive and be accepted.
void DeviceArena::check_redrawn_inputs(const FilledSlot& filled, InspectionJobs& jobs) const {
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (std::ranges::find(jobs.redrawn, a) == jobs.redrawn.end()) return;
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
    if (tools_.jobs().run({job}).front()) record({Subject::At::input, filled.slot, a}, jobs.result);
  });
}

/// Compares a short range at a random place of each out tensor of fixed size with its poison.
void DeviceArena::check_places(std::size_t slot, bool ahead, Random& random, InspectionJobs& jobs) const {
  for (std::size_t a = 0; a < arguments(); ++a) {
    const auto& tensor = *tensors_[a];
    if (tensor.role != Role::out || !tensor.count.empty() || bytes(a) == 0) continue;
    const std::size_t element = size_of(tensor.dtype), length = std::min(kPlaceBytes, bytes(a));
    const std::size_t begin = random.below((bytes(a) - length) / element + 1) * element;
    if (!ahead && length < 16 && element < 4) continue;  // so few bytes may rightly equal the poison
    jobs.compare({data(slot, a) + begin, 0, length, verifier::poison_word(tensor.dtype)},
                 {ahead ? Subject::At::place_ahead : Subject::At::place_called, slot, a});
  }
}

}  // namespace ridgeline::judge
