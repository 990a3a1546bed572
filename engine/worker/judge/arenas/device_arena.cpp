#include "engine/worker/judge/arenas/device_arena.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstring>

#include "engine/cuda/driver.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/poison.hpp"

namespace ridgeline::judge {
namespace {

void send(CUdeviceptr to, const void* from, std::size_t bytes) {
  if (bytes > 0) cuda::check(cuda::driver().cuMemcpyHtoD(to, from, bytes), "sending inputs to the device");
}

}  // namespace

DeviceTools::DeviceTools(int device, std::size_t flush_bytes)
    : device_(device), jobs_(device), flush_(cuda::make_shared_memory(flush_bytes, device)) {
  jobs_.run({cuda::Move{flush_.mapping.address(), 0, flush_.mapping.bytes(), 0}});
}

CUdeviceptr DeviceTools::place_of(const Instance& instance, const verifier::InputPool::Window& window) {
  if (window.on_device) return reinterpret_cast<CUdeviceptr>(window.pool) + window.offset;
  return mirror(instance, window.pool, window.pool_bytes) + window.offset;
}

CUdeviceptr DeviceTools::mirror(const Instance& instance, const void* pool, std::size_t bytes) {
  const auto known = mirrors_.find(pool);
  if (known != mirrors_.end() && known->second.owner.lock() == instance.pool)
    return known->second.memory.mapping.address();
  // An address may be reused by a new pool, so the owner is compared, and copies of dead pools are freed.
  std::erase_if(mirrors_, [](const auto& mirror) { return mirror.second.owner.expired(); });
  Mirror uploaded{instance.pool, cuda::make_shared_memory(bytes, device_)};
  send(uploaded.memory.mapping.address(), pool, bytes);
  return mirrors_.insert_or_assign(pool, std::move(uploaded)).first->second.memory.mapping.address();
}

CUdeviceptr DeviceTools::scratch(const void* data, std::size_t bytes) {
  if (!scratch_ || scratch_->mapping.bytes() < bytes) {
    scratch_.reset();
    scratch_ = cuda::make_shared_memory(std::max<std::size_t>(bytes, 1), device_);
  }
  send(scratch_->mapping.address(), data, bytes);
  return scratch_->mapping.address();
}

void DeviceTools::empty_caches() {
  cuda::driver().cuCtxResetPersistingL2Cache();
  jobs_.evict_l2_by_reading(flush_.mapping.address(), flush_.mapping.bytes());
}

DeviceArena::DeviceArena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret,
                         DeviceTools& tools)
    : Arena(task, one, slots, secret, kDeviceLayout),
      tools_(tools),
      judged_on_device_(verifier::judged_on_device(task)),
      guard_(Random(~secret).next()) {
  for (const auto bytes : least_bytes()) memory_.push_back(cuda::make_shared_memory(bytes, tools.device()));
  pending_.resize(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) shift(slot);
}

CUdeviceptr DeviceArena::data(std::size_t slot, std::size_t argument) const {
  return memory_[memory_of(argument)].mapping.address() + offset(slot, argument);
}

void DeviceArena::write_guards(std::size_t slot) {
  pending_[slot].clear();  // moves to the slot's old place; all moves of a settle run at once
  for (std::size_t a = 0; a < arguments(); ++a) {
    pending_[slot].push_back({data(slot, a) - kGuardBytes, 0, kGuardBytes, guard_});
    pending_[slot].push_back({data(slot, a) + bytes(a), 0, kGuardBytes, guard_});
  }
}

void DeviceArena::poison_outputs(std::size_t slot) {
  for (std::size_t a = 0; a < arguments(); ++a)
    if (tensors_[a]->role == Role::out)
      pending_[slot].push_back({data(slot, a), 0, bytes(a), verifier::poison_word(tensors_[a]->dtype)});
}

void DeviceArena::fill(std::size_t slot, const std::vector<at::Tensor>& inputs) {
  poison_outputs(slot);
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (!must_fill(a)) return;
    if (inputs[input].is_cpu())
      send(data(slot, a), inputs[input].const_data_ptr(), bytes(a));
    else
      pending_[slot].push_back({data(slot, a), address_of(inputs[input]), bytes(a), 0});
  });
}

void DeviceArena::fill(std::size_t slot, const Instance& instance) {
  poison_outputs(slot);
  each_input([&](const Tensor&, std::size_t a, std::size_t input) {
    if (!must_fill(a)) return;
    if (const auto window = instance.pool->window(instance.number, input)) {
      pending_[slot].push_back({data(slot, a), tools_.place_of(instance, *window), bytes(a), 0});
      return;
    }
    std::vector<std::byte> values(bytes(a));
    instance.pool->refill(instance.number, input, values.data());
    send(data(slot, a), values.data(), values.size());
  });
}

void DeviceArena::settle() {
  std::vector<cuda::Move> moves;
  for (auto& slot_moves : pending_) {
    for (const auto& move : slot_moves)
      if (move.bytes > 0) moves.push_back(move);
    slot_moves.clear();
  }
  if (!moves.empty()) tools_.jobs().run(moves);
  if (flush_) tools_.empty_caches();
  flush_ = false;
}

at::TensorOptions DeviceArena::options_of(const Tensor& tensor, bool on_device) const {
  const at::Device device(at::kCUDA, static_cast<c10::DeviceIndex>(tools_.device()));
  return at::TensorOptions().dtype(verifier::scalar_type(tensor.dtype)).device(on_device ? device : at::kCPU);
}

std::size_t DeviceArena::snapshot_bytes() const {
  // Copies on the device cost no transfer, so many more may be kept there.
  return judged_on_device_ ? std::size_t{1} << 30 : std::size_t{32} << 20;
}

std::vector<std::vector<at::Tensor>> DeviceArena::inputs_of(const std::vector<Instance>& instances) const {
  std::vector<std::vector<at::Tensor>> inputs;
  std::vector<cuda::Move> moves;
  for (const auto& instance : instances)
    inputs.push_back(judged_on_device_ ? begin_inputs(instance, moves)
                                       : instance.pool->rebuild(instance.number));
  if (!moves.empty()) tools_.jobs().run(moves);
  return inputs;
}

/// Returns tensors that have their values already, or will have them once `moves` have run.
std::vector<at::Tensor> DeviceArena::begin_inputs(const Instance& instance,
                                                  std::vector<cuda::Move>& moves) const {
  std::vector<at::Tensor> inputs;
  each_input([&](const Tensor& tensor, std::size_t a, std::size_t input) {
    const auto shape = shape_of(tensor, case_.sizes);
    const auto window = instance.pool->window(instance.number, input);
    auto values = at::empty(shape, options_of(tensor, window.has_value()));
    if (window && bytes(a) > 0)
      moves.push_back({address_of(values), tools_.place_of(instance, *window), bytes(a), 0});
    else if (!window)
      instance.pool->refill(instance.number, input, values.data_ptr());
    inputs.push_back(values.to(options_of(tensor, true)));
  });
  return inputs;
}

std::vector<at::Tensor> DeviceArena::view_inputs(std::size_t slot) const {
  std::vector<at::Tensor> views;
  each_input([&](const Tensor& tensor, std::size_t a, std::size_t) {
    views.push_back(at::from_blob(reinterpret_cast<void*>(data(slot, a)), shape_of(tensor, case_.sizes),
                                  options_of(tensor, true)));
  });
  return views;
}

}  // namespace ridgeline::judge
