#include "engine/verifier/seeds.hpp"

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

/// Whether the task can draw but one value. Such an input is no seed: it tells the kernel something. Two
/// draws do not show it, since a seed of two values is drawn twice the same half of the time.
bool draws_one_value(const DrawPlan& plan) {
  switch (plan.draw) {
    case Draw::uniform:
    case Draw::sorted:
      return plan.high - plan.low < 2;
    case Draw::bernoulli:
      return plan.high <= 0 || plan.high >= 1;
    case Draw::normal:
      return plan.high == 0;
    case Draw::permutation:
      return plan.row < 2;
    default:  // values of Draw::reference are the module's own, and nothing here can draw others
      return true;
  }
}

/// Returns `seed` with the lowest bit of each element flipped. Where the task does not draw that value, it
/// takes the value on the other side instead.
at::Tensor neighbour_of(const at::Tensor& seed, const DrawPlan& plan) {
  auto neighbour = seed.cpu().bitwise_xor(1).contiguous();
  if (plan.draw != Draw::uniform) return neighbour;
  const auto low = static_cast<std::uint64_t>(static_cast<std::int64_t>(plan.low));
  const auto values = static_cast<std::uint64_t>(plan.high - plan.low);
  auto* elements = static_cast<std::int64_t*>(neighbour.data_ptr());
  for (std::int64_t i = 0; i < neighbour.numel(); ++i) {
    if (static_cast<std::uint64_t>(elements[i]) - low < values) continue;
    elements[i] += (elements[i] & 1) != 0 ? -2 : 2;
  }
  return neighbour;
}

/// The places of the seeds among `inputs`.
std::vector<std::size_t> seeds_among(const Task& task, const Case& task_case,
                                     const std::vector<at::Tensor>& inputs) {
  const auto arguments = arguments_of(task);
  std::vector<std::size_t> seeds;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i]->role == Role::in && arguments[i]->dtype == DType::int64 && inputs[i].numel() > 0 &&
        inputs[i].numel() <= most_seed_elements &&
        !draws_one_value(plan_draw(*arguments[i], task_case.sizes)))
      seeds.push_back(i);
  return seeds;
}

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
  const auto plan_of = [&](std::size_t i) { return plan_draw(*arguments[i], task_case.sizes); };
  const auto seeds = seeds_among(task, task_case, inputs);
  const auto drawn = [&](std::size_t i, std::uint64_t call) {
    return draw_tensor(plan_of(i), InputSet::standard, false, stream_of(word + call, i, InputSet::standard));
  };
  // With its lowest bits flipped a permutation is none, and ascending numbers may descend.
  const auto has_neighbour = [&](std::size_t i) { return is_independent(arguments[i]->input.draw); };
  std::vector<std::vector<at::Tensor>> calls{inputs};
  const std::size_t wanted = calls_to_compare(task, task_case);
  for (std::size_t call = 1; call < wanted; ++call) {
    auto others = inputs;
    for (const std::size_t i : seeds)
      others[i] = (call == 1 && has_neighbour(i) ? neighbour_of(inputs[i], plan_of(i)) : drawn(i, call))
                      .to(inputs[i].device());
    const bool known = std::ranges::any_of(calls, [&](const auto& before) {
      return std::ranges::all_of(seeds, [&](std::size_t i) { return at::equal(before[i], others[i]); });
    });
    if (!known) calls.push_back(std::move(others));
  }
  calls.erase(calls.begin());
  return calls;
}

bool seeds_differ(const Task& task, const Case& task_case, const std::vector<at::Tensor>& a,
                  const std::vector<at::Tensor>& b) {
  return std::ranges::any_of(seeds_among(task, task_case, a),
                             [&](std::size_t i) { return !at::equal(a[i].cpu(), b[i].cpu()); });
}

}  // namespace ridgeline::verifier
