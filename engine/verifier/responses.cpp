#include "engine/verifier/responses.hpp"

#include <ATen/ops/abs.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>

#include "engine/verifier/derivation.hpp"

namespace ridgeline::verifier {
Responses::Responses(const at::Tensor& oracle, std::int64_t many) : oracle_(oracle), many_(many) {}

void Responses::add(const at::Tensor& draw, std::size_t number, std::int64_t first) {
  auto& kept = number == 1 ? second_ : first_;
  auto& largest = number == 1 ? largest_second_ : largest_first_;
  const auto type = oracle_.numel() >= many_ ? at::kFloat : at::kDouble;
  if (!kept.defined()) kept = at::zeros(oracle_.sizes(), oracle_.options().dtype(type));
  const auto moved = draw.reshape(-1);
  const auto oracle = oracle_.reshape(-1).narrow(0, first, moved.numel());
  const auto to = kept.view(-1).narrow(0, first, moved.numel());
  constexpr double most = std::numeric_limits<float>::max();
  for (std::int64_t begin = 0; begin < to.numel(); begin += kPieceElements) {
    const auto length = std::min(kPieceElements, to.numel() - begin);
    const auto from = oracle.narrow(0, begin, length), there = moved.narrow(0, begin, length);
    auto apart = from.sub(there).abs_();
    // One reduction tells whether all is finite; the masks below are needed in the rare other case only.
    if (const double widest = apart.max().item<double>(); widest <= most) {
      largest = std::max(largest, widest);
    } else {
      largest = no_bound;
      apart = moved_by(from, there);
      if (number > 1) apart = finite_or_zero(apart);
      if (type == at::kFloat) apart = at::where(apart.isinf(), apart, apart.clamp_max(most));
    }
    auto piece = to.narrow(0, begin, length);
    at::maximum_out(piece, piece, apart);
  }
}

}  // namespace ridgeline::verifier
