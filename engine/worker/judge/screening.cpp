#include "engine/worker/judge/screening.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>

#include <variant>

namespace ridgeline::judge {
namespace {

constexpr double kNearEnough = 0.01;
constexpr std::int64_t kPlaces = 64;  // of an output, where some are looked at

at::Tensor random_places(std::int64_t elements, Random& random) {
  auto places = at::empty({kPlaces}, at::TensorOptions().dtype(at::kLong));
  auto* values = places.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < kPlaces; ++i)
    values[i] = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(elements)));
  return places;
}

bool near(const at::Tensor& got, const at::Tensor& expected) {
  if (got.sizes() != expected.sizes() || got.scalar_type() != expected.scalar_type()) return false;
  if (!got.is_floating_point()) return at::equal(got, expected);
  if (got.numel() == 0) return true;
  const auto a = got.to(at::kDouble), b = expected.to(at::kDouble);
  const auto magnitude = b.abs();
  const auto room = magnitude.add(magnitude.mean()).mul(kNearEnough);
  return a.sub(b).abs().le(room).all().item().toBool();  // false where NaN takes part
}

}  // namespace

bool plainly_right(const PreparedTask& prepared, const Case& one, const std::vector<at::Tensor>& inputs,
                   const std::vector<at::Tensor>& outputs, Look look, Random& random) {
  const auto& contract = prepared.task().contract;
  if (std::holds_alternative<Statistical>(contract) || std::holds_alternative<UpToSign>(contract))
    return false;
  const auto expected = prepared.reference().run(inputs, one);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool whole =
        look == Look::all || outputs[i].numel() <= kPlaces || outputs[i].sizes() != expected[i].sizes();
    if (whole) {
      if (!near(outputs[i], expected[i])) return false;
      continue;
    }
    const auto places = random_places(outputs[i].numel(), random).to(outputs[i].device());
    if (!near(outputs[i].flatten().index_select(0, places), expected[i].flatten().index_select(0, places)))
      return false;
  }
  return true;
}

}  // namespace ridgeline::judge
