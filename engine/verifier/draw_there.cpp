#include "engine/verifier/draw_there.hpp"

#include <ATen/Context.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>

#include <algorithm>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/draw_tensor.hpp"
#include "engine/verifier/edge.hpp"
#include "engine/verifier/elements.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/responses.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::int64_t kLeastBytes = std::int64_t{1} << 20;  // smaller tensors are drawn on the CPU as fast
constexpr std::int64_t kEdgeBytes = std::int64_t{64} << 20;  // the beginning of a tensor that holds edges
constexpr double kOutlierShare = 0.001, kOutlierScale = 50;

/// Describes the first rows of a tensor, or its first elements where one row is too long.
DrawPlan beginning_of(const DrawPlan& plan) {
  auto part = plan;
  const auto most = kEdgeBytes / static_cast<std::int64_t>(size_of(plan.dtype));
  if (plan.elements <= most) return part;
  part.elements = plan.row <= most && plan.row > 0 ? most / plan.row * plan.row : most;
  part.row = std::min(plan.row, part.elements);
  part.shape = {part.elements / part.row, part.row};
  part.elements = part.shape[0] * part.row;
  return part;
}

/// Draws integers as on the CPU: rounded normal numbers within the dtype's range. Torch draws none itself.
at::Tensor draw_whole_normal(const DrawPlan& plan, const at::Tensor& flat) {
  const auto options = flat.options().dtype(at::kDouble);
  for (std::int64_t begin = 0; begin < flat.numel(); begin += kPieceElements) {
    const auto length = std::min(kPieceElements, flat.numel() - begin);
    auto numbers = at::empty({length}, options).normal_(plan.low, plan.high).round_();
    flat.narrow(0, begin, length).copy_(numbers.clamp_(lowest(plan.dtype), largest(plan.dtype)));
  }
  return flat;
}

}  // namespace

at::Device device_for_drawing(const Task& task, const DrawPlan& plan, const Reference* reference) {
  const bool simple = is_independent(plan.draw) && !is_factorization(task) && plan.dtype != DType::boolean;
  const bool large = plan.elements >= kLeastBytes / static_cast<std::int64_t>(size_of(plan.dtype));
  if (!reference || !simple || !large || !judged_on_device(task)) return at::kCPU;
  return reference->device();
}

at::Tensor draw_on_device(const DrawPlan& plan, InputSet set, const Random& random, std::int64_t count,
                          at::Device device) {
  auto flat = at::empty({count}, at::TensorOptions().dtype(scalar_type(plan.dtype)).device(device));
  // Torch's operators draw from its global generators, so those are seeded by this stream.
  at::manual_seed(random.bits(0));
  const bool real = is_floating_or_complex(plan.dtype);
  switch (plan.draw) {
    case Draw::normal:
      real ? flat.normal_(plan.low, plan.high) : draw_whole_normal(plan, flat);
      break;
    case Draw::uniform:
      if (real)
        flat.uniform_(plan.low, plan.high).clamp_(plan.low, next_below(plan.dtype, plan.high));
      else
        flat.random_(static_cast<std::int64_t>(plan.low), static_cast<std::int64_t>(plan.high));
      break;
    case Draw::bernoulli:
      flat.bernoulli_(plan.high);
      break;
    default:
      flat.fill_(plan.low);
  }
  if (set == InputSet::outlier && takes_outliers(plan) && count > 0) {
    const auto wanted =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(kOutlierShare * static_cast<double>(count)));
    // Places may repeat, and then the value is scaled once: the share is a probability, not a count.
    const auto places = at::randint(count, {wanted}, at::TensorOptions().dtype(at::kLong).device(device));
    flat.index_copy_(0, places, flat.index_select(0, places).mul_(kOutlierScale));
  }
  return flat;
}

at::Tensor draw_tensor_on_device(const DrawPlan& plan, InputSet set, const Random& random,
                                 at::Device device) {
  if (set != InputSet::edge)
    return draw_on_device(plan, set, random, plan.elements, device).reshape(plan.shape);
  const auto part = beginning_of(plan);
  const auto edges = draw_tensor(part, set, false, random);
  if (part.elements == plan.elements) return edges.to(device).reshape(plan.shape);
  auto flat = draw_on_device(plan, set, random, plan.elements, device);
  flat.narrow(0, 0, part.elements).copy_(edges.reshape(-1));
  return flat.reshape(plan.shape);
}

at::Tensor draw_rows_on_device(const DrawPlan& plan, const Random& random, at::Device device) {
  const auto type = scalar_type(plan.dtype);
  at::manual_seed(random.bits(0));
  if (plan.draw == Draw::permutation) {
    auto keys = at::empty(plan.shape, at::TensorOptions().dtype(at::kLong).device(device));
    return at::argsort(keys.random_(), /*stable=*/true, /*dim=*/-1).to(type);
  }
  auto numbers = at::empty(plan.shape, at::TensorOptions().dtype(at::kDouble).device(device));
  if (plan.draw == Draw::probabilities) {
    // As on the CPU: exponential weights make a flat Dirichlet sample, and none is zero.
    numbers.exponential_().add_(0x1p-20);
    return numbers.div_(numbers.sum(-1, /*keepdim=*/true)).to(type).contiguous();
  }
  // Sums of exponential gaps need no sort, but a device adds them in an order in which they may decrease.
  numbers.uniform_(0, 1).mul_(plan.high - plan.low).add_(plan.low);
  const bool real = is_floating_or_complex(plan.dtype);
  if (!real) numbers.floor_();
  numbers.clamp_(std::nullopt, real ? next_below(plan.dtype, plan.high) : plan.high - 1);
  return std::get<0>(numbers.sort(-1)).to(type).contiguous();
}

}  // namespace ridgeline::verifier
