// Inspects a device arena after a batch: one list of copies and comparisons, and one wait for them all.
#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/error.hpp"
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
  enum class At { guard_before, guard_behind, input, place_called } at;
  std::size_t slot, argument;
};

/// The copies and comparisons of one inspection, and its result.
struct DeviceArena::InspectionJobs {
  cuda::JobList list;
  std::vector<Subject> compared, checked;  // what each of list.compares and of list.checks is about
  std::vector<std::size_t> redrawn;        // inputs whose values must be drawn or sent: compared afterwards
  InspectionResult result;

  void compare(cuda::Compare job, Subject subject) {
    list.compares.push_back(job);
    compared.push_back(subject);
  }
};

InspectionResult DeviceArena::inspect(const Inspection& inspection) const {
  InspectionJobs jobs;
  const std::size_t end = inspection.first + inspection.count;
  for (const std::size_t slot : inspection.copied) copy_outputs(slot, jobs);
  for (std::size_t slot = inspection.first; slot < end; ++slot) check_guards_of(slot, jobs);
  if (inspection.filled) check_inputs(*inspection.filled, jobs);
  if (inspection.places != nullptr)
    for (std::size_t slot = inspection.first; slot < end; ++slot)
      check_places(slot, *inspection.places, jobs);
  const auto different = tools_.jobs().run(jobs.list);
  auto subjects = jobs.compared;
  subjects.insert(subjects.end(), jobs.checked.begin(), jobs.checked.end());
  // Everything must equal its expectation, except for called outputs, which must differ from their poison.
  for (std::size_t i = 0; i < different.size(); ++i)
    if (different[i].has_value() != (subjects[i].at == Subject::At::place_called))
      record(subjects[i], jobs.result);
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
      jobs.list.moves.push_back({address_of(copy), data(slot, a), bytes(a), 0});
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
    const Subject subject{Subject::At::input, filled.slot, a};
    if (const auto* const* instance = std::get_if<const Instance*>(&filled.inputs)) {
      const auto& stream = *(*instance)->stream;
      if (const auto numbers = stream.generation((*instance)->number, input)) {
        jobs.list.checks.push_back({data(filled.slot, a), stream.count(input), *numbers});
        jobs.checked.push_back(subject);
        return;
      }
    } else if (const auto& values = (*std::get<0>(filled.inputs))[input]; !values.is_cpu()) {
      jobs.compare({data(filled.slot, a), address_of(values), bytes(a), 0}, subject);
      return;
    }
    jobs.redrawn.push_back(a);
  });
}

/// Compares inputs whose values must be drawn again or sent. It runs last: that takes time in which late
/// outputs would arrive and be accepted.
void DeviceArena::check_redrawn_inputs(const FilledSlot& filled, InspectionJobs& jobs) const {
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (std::ranges::find(jobs.redrawn, a) != jobs.redrawn.end() && changed(filled, a, input))
      record({Subject::At::input, filled.slot, a}, jobs.result);
  });
}

bool DeviceArena::changed(const FilledSlot& filled, std::size_t argument, std::size_t input) const {
  const auto differs_from = [&](CUdeviceptr values) {
    const cuda::Compare job{data(filled.slot, argument), values, bytes(argument), 0};
    return tools_.jobs().run({job}).front().has_value();
  };
  const auto* const* instance = std::get_if<const Instance*>(&filled.inputs);
  if (!instance) {
    const auto& values = (*std::get<0>(filled.inputs))[input];
    return differs_from(tools_.scratch(values.const_data_ptr(), bytes(argument)));
  }
  const auto device = options_of(*tensors_[argument], true).device();
  const auto draw = [&] { return (*instance)->stream->values((*instance)->number, input, device); };
  const auto values = draw();
  if (!differs_from(address_of(values))) return false;
  // Torch's operators promise the same bits each time. Should they not keep that, no candidate is to blame.
  const auto again = draw();
  const cuda::Compare repeated{address_of(values), address_of(again), bytes(argument), 0};
  if (tools_.jobs().run({repeated}).front())
    throw MachineCannot("the input `" + tensors_[argument]->name +
                        "` has other values each time it is drawn on this device; fix: judge this task on a "
                        "CPU, and report it");
  return true;
}

std::vector<cuda::Compare> DeviceArena::places_of(std::size_t first, std::size_t count,
                                                  Random& random) const {
  InspectionJobs jobs;
  for (std::size_t slot = first; slot < first + count; ++slot) check_places(slot, random, jobs);
  return std::move(jobs.list.compares);
}

/// Compares a short range at a random place of each out tensor of fixed size with its poison.
void DeviceArena::check_places(std::size_t slot, Random& random, InspectionJobs& jobs) const {
  for (std::size_t a = 0; a < arguments(); ++a) {
    const auto& tensor = *tensors_[a];
    if (tensor.role != Role::out || !tensor.count.empty() || bytes(a) == 0) continue;
    const std::size_t element = size_of(tensor.dtype), length = std::min(kPlaceBytes, bytes(a));
    const std::size_t begin = random.below((bytes(a) - length) / element + 1) * element;
    if (length < 16 && element < 4) continue;  // so few bytes may rightly equal the poison
    jobs.compare({data(slot, a) + begin, 0, length, verifier::poison_word(tensor.dtype)},
                 {Subject::At::place_called, slot, a});
  }
}

}  // namespace ridgeline::judge
