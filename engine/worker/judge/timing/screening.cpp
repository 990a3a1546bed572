#include "engine/worker/judge/timing/screening.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>

#include <algorithm>
#include <variant>

#include "engine/verifier/on_device.hpp"

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
  const auto a = got.reshape(-1), b = expected.reshape(-1);
  constexpr auto most = verifier::kPieceElements;
  double sum = 0;
  for (std::int64_t begin = 0; begin < b.numel(); begin += most)
    sum += b.narrow(0, begin, std::min(most, b.numel() - begin)).to(at::kDouble).abs().sum().item<double>();
  const double mean = sum / static_cast<double>(b.numel());
  for (std::int64_t begin = 0; begin < b.numel(); begin += most) {
    const auto of = [&](const at::Tensor& t) {
      return t.narrow(0, begin, std::min(most, t.numel() - begin)).to(at::kDouble);
    };
    const auto right = of(b);
    const auto room = right.abs().add(mean).mul(kNearEnough);
    if (!of(a).sub(right).abs().le(room).all().item<bool>()) return false;  // also where NaN takes part
  }
  return true;
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
