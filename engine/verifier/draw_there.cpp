#include "engine/verifier/draw_there.hpp"

#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>

#include <algorithm>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/draw_tensor.hpp"
#include "engine/verifier/edge.hpp"
#include "engine/verifier/elements.hpp"
#include "engine/verifier/on_device.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::int64_t kWorthIt = std::int64_t{1} << 20;   // bytes: less is drawn on the CPU as soon
constexpr std::int64_t kOfEdges = std::int64_t{64} << 20;  // the same: what edges stand in
constexpr double kOutlierShare = 0.001, kOutlierScale = 50;

/// The first rows of a tensor, or its first elements where one row is too much.
DrawPlan beginning_of(const DrawPlan& plan) {
  auto part = plan;
  const auto most = kOfEdges / static_cast<std::int64_t>(size_of(plan.dtype));
  if (plan.elements <= most) return part;
  part.elements = plan.row <= most && plan.row > 0 ? most / plan.row * plan.row : most;
  part.row = std::min(plan.row, part.elements);
  part.shape = {part.elements / part.row, part.row};
  part.elements = part.shape[0] * part.row;
  return part;
}

}  // namespace

at::Device drawn_on(const Task& task, const DrawPlan& plan, const Reference* reference) {
  const bool simple = is_independent(plan.draw) && !is_factorization(task) && plan.dtype != DType::boolean;
  const bool large = plan.elements >= kWorthIt / static_cast<std::int64_t>(size_of(plan.dtype));
  if (!reference || !simple || !large || !judged_on_device(task)) return at::kCPU;
  return reference->device();
}

at::Tensor draw_there(const DrawPlan& plan, InputSet set, const Random& random, std::int64_t count,
                      at::Device device) {
  auto flat = at::empty({count}, at::TensorOptions().dtype(scalar_type(plan.dtype)).device(device));
  at::manual_seed(random.bits(0));
  const bool real = is_real(plan.dtype);
  switch (plan.draw) {
    case Draw::normal:
      real ? flat.normal_(plan.low, plan.high) : flat.fill_(plan.low);
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
    const auto places = at::randint(count, {wanted}, at::TensorOptions().dtype(at::kLong).device(device));
    flat.index_copy_(0, places, flat.index_select(0, places).mul_(kOutlierScale));
  }
  return flat;
}

at::Tensor draw_tensor_there(const DrawPlan& plan, InputSet set, const Random& random, at::Device device) {
  if (set != InputSet::edge) return draw_there(plan, set, random, plan.elements, device).reshape(plan.shape);
  const auto part = beginning_of(plan);
  const auto edges = draw_tensor(part, set, false, random);
  if (part.elements == plan.elements) return edges.to(device).reshape(plan.shape);
  auto flat = draw_there(plan, set, random, plan.elements, device);
  flat.narrow(0, 0, part.elements).copy_(edges.reshape(-1));
  return flat.reshape(plan.shape);
}

}  // namespace ridgeline::verifier
