#include "engine/verifier/perturb.hpp"

#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>

#include "engine/verifier/elements.hpp"
#include "engine/verifier/parallel.hpp"
#include "engine/verifier/random.hpp"
#include "engine/verifier/responses.hpp"

namespace ridgeline::verifier {
namespace {

bool is_wide(const at::Tensor& t) {
  return t.scalar_type() == at::kDouble || t.scalar_type() == at::kComplexDouble;
}

std::int64_t count_of_numbers(const at::Tensor& t) {
  return t.numel() * (t.is_complex() ? 2 : 1);
}

}  // namespace

void widen_into(const at::Tensor& wide, const at::Tensor& tensor, double step, std::uint64_t seed) {
  if (step == 0 || !is_wide(wide)) {
    wide.copy_(tensor);
    return;
  }
  at::manual_seed(seed);
  const auto to = wide.reshape(-1), from = tensor.reshape(-1);
  for (std::int64_t begin = 0; begin < to.numel(); begin += kPieceElements) {
    const auto length = std::min(kPieceElements, to.numel() - begin);
    // How far an input moves need not be exact, so the factor is drawn in float32: fewer bytes to move.
    const auto options = at::TensorOptions().device(wide.device()).dtype(at::kFloat);
    auto factor = at::empty({length}, options).uniform_(-1, 1);
    // Moves (-1, 1) to 0.5 <= |r| < 1.5.
    factor.add_(factor.sign(), 0.5);
    // The factor itself needs all digits of float64. Multiplying keeps an infinity; adding a difference
    // would make it NaN.
    auto piece = to.narrow(0, begin, length).copy_(from.narrow(0, begin, length));
    piece.mul_(factor.to(wide.scalar_type()).mul_(step).add_(1));
  }
}

std::vector<at::Tensor> perturbed(const std::vector<at::Tensor>& wide, double step, std::uint64_t seed) {
  std::vector<at::Tensor> moved;
  for (const auto& tensor : wide) {
    moved.push_back(tensor);
    if (!is_wide(tensor)) continue;
    if (!tensor.is_cpu()) {
      moved.back() = at::empty_like(tensor, at::MemoryFormat::Contiguous);
      widen_into(moved.back(), tensor, step, Random(seed, moved.size()).bits(0));
      continue;
    }
    auto copy = tensor.contiguous().clone();
    auto* values = static_cast<double*>(copy.data_ptr());
    // The sign and the size are random. Equal sizes would leave a sum of two large terms that cancel
    // unchanged in three draws of eight, and hide its condition.
    const Random random(seed, moved.size());
    static_assert(range_length % 8 == 0);
    in_ranges(count_of_numbers(copy), [&](std::int64_t begin, std::int64_t end) {
      std::uint64_t word = 0;
      for (auto i = begin; i < end; ++i, word >>= 8) {
        if (i % 8 == 0) word = random.bits(static_cast<std::uint64_t>(i / 8));
        const double size = 0.5 + static_cast<double>(word & 0x7F) / 128;
        values[i] *= 1 + (word & 0x80 ? size : -size) * step;
      }
    });
    moved.back() = std::move(copy);
  }
  return moved;
}

std::vector<at::Tensor> rounded(const std::vector<at::Tensor>& tensors, int digits) {
  std::vector<at::Tensor> coarse;
  for (const auto& tensor : tensors) {
    coarse.push_back(tensor);
    if (!tensor.is_floating_point() && !tensor.is_complex()) continue;
    auto wide = tensor.to(tensor.is_complex() ? at::kComplexDouble : at::kDouble).contiguous().clone();
    auto* values = static_cast<double*>(wide.data_ptr());
    for (std::int64_t i = 0; i < count_of_numbers(wide); ++i) values[i] = round_to_digits(values[i], digits);
    coarse.back() = wide.to(tensor.scalar_type());
  }
  return coarse;
}

}  // namespace ridgeline::verifier
