#include "engine/worker/judge/arenas/device_arena.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/poison.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {
namespace {

void send(CUdeviceptr to, const void* from, std::size_t bytes) {
  if (bytes > 0) cuda::check(cuda::driver().cuMemcpyHtoD(to, from, bytes), "sending inputs to the device");
}

}  // namespace

DeviceTools::DeviceTools(int device, std::size_t flush_bytes, std::uint64_t secret)
    : device_(device),
      jobs_(device),
      flush_(cuda::make_shared_memory(flush_bytes, device)),
      secrets_(secret) {
  sealing_cubin_ = std::async(std::launch::async, [facts = cuda::device_facts(device)] {
                     return cuda::compile_sealing(facts.major, facts.minor);
                   }).share();
  jobs_.run({cuda::Move{flush_.mapping.address(), 0, flush_.mapping.bytes(), 0}});
}

CUdeviceptr DeviceTools::scratch(const void* data, std::size_t bytes) {
  if (!scratch_ || scratch_->mapping.bytes() < bytes) {
    scratch_.reset();
    scratch_ = cuda::make_shared_memory(std::max<std::size_t>(bytes, 1), device_);
  }
  send(scratch_->mapping.address(), data, bytes);
  return scratch_->mapping.address();
}

void DeviceTools::reset_persisting_lines() {
  cuda::driver().cuCtxResetPersistingL2Cache();
}

cuda::Evict DeviceTools::evict_caches() const {
  return {flush_.mapping.address(), flush_.mapping.bytes()};
}

DeviceArena::DeviceArena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret,
                         DeviceTools& tools)
    : Arena(task, one, slots, secret, kDeviceLayout),
      tools_(tools),
      judged_on_device_(verifier::judged_on_device(task)),
      guard_(Random(~secret).next()) {
  cuda::JobList clear;
  for (const auto bytes : least_bytes()) {
    memory_.push_back(cuda::make_shared_memory(bytes, tools.device()));
    // What a driver hands out may hold what this process had there: expectations, which runners must not see.
    clear.moves.push_back({memory_.back().mapping.address(), 0, memory_.back().mapping.bytes(), 0});
  }
  tools_.jobs().run(clear);
  pending_.resize(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) shift(slot);
}

CUdeviceptr DeviceArena::data(std::size_t slot, std::size_t argument) const {
  return memory_[memory_of(argument)].mapping.address() + offset(slot, argument);
}

void DeviceArena::write_guards(std::size_t slot) {
  pending_[slot] = {};  // jobs at the slot's old place; all jobs of a settle run at once
  for (std::size_t a = 0; a < arguments(); ++a) {
    pending_[slot].moves.push_back({data(slot, a) - kGuardBytes, 0, kGuardBytes, guard_});
    pending_[slot].moves.push_back({data(slot, a) + bytes(a), 0, kGuardBytes, guard_});
  }
}

void DeviceArena::poison_outputs(std::size_t slot) {
  for (std::size_t a = 0; a < arguments(); ++a)
    if (tensors_[a]->role == Role::out)
      pending_[slot].moves.push_back({data(slot, a), 0, bytes(a), verifier::poison_word(tensors_[a]->dtype)});
}

void DeviceArena::fill(std::size_t slot, const std::vector<at::Tensor>& inputs) {
  poison_outputs(slot);
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (!must_fill(a)) return;
    if (inputs[input].is_cpu())
      send(data(slot, a), inputs[input].const_data_ptr(), bytes(a));
    else
      pending_[slot].moves.push_back({data(slot, a), address_of(inputs[input]), bytes(a), 0});
  });
}

void DeviceArena::fill(std::size_t slot, const Instance& instance) {
  poison_outputs(slot);
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (!must_fill(a)) return;
    if (bytes(a) == 0) return;
    auto& pending = pending_[slot];
    if (const auto numbers = instance.stream->generation(instance.number, input)) {
      pending.generations.push_back({data(slot, a), instance.stream->count(input), *numbers});
      return;
    }
    // By torch's operators, on the stream for which Jobs waits. They lie apart until `settle`: nobody may see
    // inputs of a slot before the judge watches the device.
    pending.drawn.push_back(
        instance.stream->values(instance.number, input, options_of(*tensors_[a], true).device())
            .contiguous());
    pending.moves.push_back({data(slot, a), address_of(pending.drawn.back()), bytes(a), 0});
  });
}

void DeviceArena::let_go() {
  discard_fillings();
  cuda::check(cuda::driver().cuCtxSynchronize(), "waiting before buffers are freed");
  for (auto& memory : memory_) memory = {};
}

void DeviceArena::flush(std::size_t) {
  if (!flush_) {
    const profiler::ScopedMetric metric("timing.fill.reset_persisting");
    tools_.reset_persisting_lines();
  }
  flush_ = true;
}

void DeviceArena::settle() {
  settle_with({});
}

bool DeviceArena::settle_and_check_outputs(std::size_t first, std::size_t count, Random& random) {
  const auto different = settle_with(places_of(first, count, random));
  return std::ranges::none_of(different, [](const auto& place) { return place.has_value(); });
}

/// Performs everything pending, then the comparisons, and waits once for both: each wait costs some ten
/// microseconds, and a batch's slots are filled twice a sample.
std::vector<std::optional<std::uint64_t>> DeviceArena::settle_with(std::vector<cuda::Compare> compares) {
  cuda::JobList list{.compares = std::move(compares)};
  std::vector<at::Tensor> drawn;  // lives until the moves are done
  for (auto& of_slot : pending_) {
    std::ranges::move(of_slot.drawn, std::back_inserter(drawn));
    for (const auto& move : of_slot.moves)
      if (move.bytes > 0) list.moves.push_back(move);
    list.generations.insert(list.generations.end(), of_slot.generations.begin(), of_slot.generations.end());
    of_slot = {};
  }
  if (std::exchange(flush_, false)) list.evict = tools_.evict_caches();
  return tools_.jobs().run(list);
}

at::TensorOptions DeviceArena::options_of(const Tensor& tensor, bool on_device) const {
  const at::Device device(at::kCUDA, static_cast<c10::DeviceIndex>(tools_.device()));
  return at::TensorOptions().dtype(verifier::scalar_type(tensor.dtype)).device(on_device ? device : at::kCPU);
}

std::size_t DeviceArena::snapshot_bytes() const {
  // Copies on the device cost no transfer, so more may be kept there. What is judged on the CPU needs room
  // for several calls of 20 MB: draws of random tasks are compared with those of others.
  return std::size_t{1} << (judged_on_device_ ? 30 : 28);
}

std::vector<std::vector<at::Tensor>> DeviceArena::inputs_of(const std::vector<Instance>& instances) const {
  std::vector<std::vector<at::Tensor>> inputs;
  cuda::JobList list;
  for (const auto& instance : instances) inputs.push_back(begin_inputs(instance, list.generations));
  tools_.jobs().run(list);
  // Contracts that are judged on the CPU get the device's values: another draw there would not have its bits.
  if (!judged_on_device_)
    for (auto& of_call : inputs) of_call = verifier::to_cpu(of_call);
  return inputs;
}

/// Returns tensors that have their values already, or will have them once `generations` have run.
std::vector<at::Tensor> DeviceArena::begin_inputs(const Instance& instance,
                                                  std::vector<cuda::Generate>& generations) const {
  std::vector<at::Tensor> inputs;
  each_input([&](const Tensor& tensor, std::size_t, std::size_t input) {
    const auto options = options_of(tensor, true);
    if (const auto numbers = instance.stream->generation(instance.number, input)) {
      inputs.push_back(at::empty(shape_of(tensor, case_.sizes), options));
      generations.push_back({address_of(inputs.back()), instance.stream->count(input), *numbers});
    } else {
      const auto values = instance.stream->values(instance.number, input, options.device());
      inputs.push_back(instance.stream->keeps(input) ? values.clone() : values);
    }
  });
  return inputs;
}

at::Tensor DeviceArena::view_of_input(std::size_t slot, std::size_t argument) const {
  return at::from_blob(reinterpret_cast<void*>(data(slot, argument)),
                       shape_of(*tensors_[argument], case_.sizes), options_of(*tensors_[argument], true));
}

std::vector<at::Tensor> DeviceArena::view_inputs(std::size_t slot) const {
  std::vector<at::Tensor> views;
  each_input([&](const Tensor&, std::size_t a, std::size_t) { views.push_back(view_of_input(slot, a)); });
  return views;
}

}  // namespace ridgeline::judge
