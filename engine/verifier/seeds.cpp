#include "engine/verifier/seeds.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>

#include <algorithm>

#include "engine/core/mismatch.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/draw_tensor.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::int64_t most_seed_elements = 4;
constexpr std::int64_t joined_elements = std::int64_t{1} << 17;
constexpr std::int64_t least_calls = 3, most_calls = 40;

}  // namespace

std::size_t calls_to_compare(const Task& task, const Case& task_case) {
  std::int64_t smallest = joined_elements;
  for (const auto* output : outputs_of(task)) {
    std::int64_t elements = 1;
    for (const auto size : shape_of(*output, task_case.sizes)) elements *= size;
    if (output->count.empty()) smallest = std::min(smallest, std::max<std::int64_t>(1, elements));
  }
  return static_cast<std::size_t>(std::clamp(joined_elements / smallest, least_calls, most_calls));
}

std::vector<std::vector<at::Tensor>> inputs_with_other_seeds(const Task& task, const Case& task_case,
                                                             const std::vector<at::Tensor>& inputs,
                                                             std::uint64_t word) {
  const auto arguments = arguments_of(task);
  std::vector<std::size_t> seeds;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i]->role == Role::in && arguments[i]->dtype == DType::int64 &&
        inputs[i].numel() <= most_seed_elements)
      seeds.push_back(i);
  const auto drawn = [&](std::size_t i, std::uint64_t call) {
    return draw_tensor(plan_draw(*arguments[i], task_case.sizes), InputSet::standard, false,
                       stream_of(word + call, i, InputSet::standard));
  };
  // A constant is no seed: it tells the kernel something.
  std::erase_if(seeds, [&](std::size_t i) { return at::equal(drawn(i, 1), drawn(i, 2)); });
  std::vector<std::vector<at::Tensor>> calls{inputs};
  const std::size_t wanted = calls_to_compare(task, task_case);
  for (std::size_t call = 1; call < wanted; ++call) {
    auto others = inputs;
    for (const std::size_t i : seeds) others[i] = call == 1 ? inputs[i].bitwise_xor(1) : drawn(i, call);
    const bool known = std::ranges::any_of(calls, [&](const auto& before) {
      return std::ranges::all_of(seeds, [&](std::size_t i) { return at::equal(before[i], others[i]); });
    });
    if (!known) calls.push_back(std::move(others));
  }
  calls.erase(calls.begin());
  return calls;
}

}  // namespace ridgeline::verifier
