#include "engine/worker/judge/slot_io.hpp"

#include <ATen/ops/empty.h>

#include <cstring>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/poison.hpp"

namespace ridgeline::judge {
namespace {

constexpr int kLooks = 16;

/// Calls `visit(position among tensors, position among those of in and inout)` for each input.
template <class Visit>
void each_input(const Task& task, Visit&& visit) {
  const auto tensors = task.tensors();
  std::size_t input = 0;
  for (std::size_t a = 0; a < tensors.size(); ++a)
    if (tensors[a]->role != Role::out) visit(*tensors[a], a, input++);
}

}  // namespace

void poison_outputs(const Task& task, const Arena& arena, std::size_t slot) {
  const auto tensors = task.tensors();
  for (std::size_t a = 0; a < tensors.size(); ++a)
    if (tensors[a]->role == Role::out)
      verifier::poison(tensors[a]->dtype, arena.data(slot, a), arena.bytes(a));
}

void fill_slot(const Task& task, const Arena& arena, std::size_t slot,
               const std::vector<at::Tensor>& inputs) {
  poison_outputs(task, arena, slot);
  each_input(task, [&](const Tensor&, std::size_t a, std::size_t input) {
    std::memcpy(arena.data(slot, a), inputs[input].const_data_ptr(), arena.bytes(a));
  });
}

void fill_slot(const Task& task, const Arena& arena, std::size_t slot, const Instance& instance) {
  poison_outputs(task, arena, slot);
  each_input(task, [&](const Tensor&, std::size_t a, std::size_t input) {
    instance.pool->refill(instance.number, input, arena.data(slot, a));
  });
}

std::optional<std::string> changed_input(const Task& task, const Case&, const Arena& arena, std::size_t slot,
                                         const std::vector<at::Tensor>& inputs) {
  std::optional<std::string> changed;
  each_input(task, [&](const Tensor& tensor, std::size_t a, std::size_t input) {
    if (changed || tensor.role != Role::in) return;
    if (std::memcmp(arena.data(slot, a), inputs[input].const_data_ptr(), arena.bytes(a)) != 0)
      changed = tensor.name;
  });
  return changed;
}

std::optional<std::string> changed_input(const Task& task, const Arena& arena, std::size_t slot,
                                         const Instance& instance) {
  std::optional<std::string> changed;
  each_input(task, [&](const Tensor& tensor, std::size_t a, std::size_t input) {
    if (changed || tensor.role != Role::in) return;
    if (!instance.pool->unchanged(instance.number, input, arena.data(slot, a))) changed = tensor.name;
  });
  return changed;
}

std::vector<at::Tensor> snapshot_outputs(const Task& task, const Case& one, const Arena& arena,
                                         std::size_t slot) {
  std::vector<at::Tensor> outputs;
  const auto tensors = task.tensors();
  for (std::size_t a = 0; a < tensors.size(); ++a) {
    if (tensors[a]->role == Role::in) continue;
    auto copy = at::empty(shape_of(*tensors[a], one.sizes),
                          at::TensorOptions().dtype(verifier::scalar_type(tensors[a]->dtype)));
    std::memcpy(copy.data_ptr(), arena.data(slot, a), arena.bytes(a));
    outputs.push_back(std::move(copy));
  }
  return outputs;
}

std::vector<at::Tensor> view_inputs(const Task& task, const Case& one, const Arena& arena, std::size_t slot) {
  std::vector<at::Tensor> views;
  each_input(task, [&](const Tensor& tensor, std::size_t a, std::size_t) {
    views.push_back(verifier::view_of(arena.data(slot, a), tensor, one.sizes));
  });
  return views;
}

std::optional<std::string> unwritten_output(const Task& task, const Arena& arena, std::size_t slot,
                                            Random& random) {
  const auto tensors = task.tensors();
  for (std::size_t a = 0; a < tensors.size(); ++a) {
    const auto& tensor = *tensors[a];
    const std::size_t element = size_of(tensor.dtype);
    const std::size_t count = arena.bytes(a) / element;
    if (tensor.role != Role::out || !tensor.count.empty() || count == 0) continue;
    int unwritten = 0;
    for (int look = 0; look < kLooks; ++look)
      unwritten += verifier::is_poison(tensor.dtype, arena.data(slot, a) + random.below(count) * element);
    // One byte may by right be what the poison is; sixteen of them at random places are not.
    if (unwritten == kLooks || (unwritten > 0 && element >= 4)) return tensor.name;
  }
  return std::nullopt;
}

}  // namespace ridgeline::judge
