#include "engine/verifier/matrices.hpp"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/diag_embed.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/where.h>

#include <algorithm>

#include "engine/verifier/buffers.hpp"

namespace ridgeline::verifier {
namespace {

/// Standard normal numbers, or uniform ones in [0, 1), in float64.
at::Tensor wide_numbers(Draw draw, const DrawPlan& plan, const std::vector<std::int64_t>& shape,
                        const Random& random, at::Device device) {
  auto out = at::empty(shape, at::TensorOptions().dtype(at::kDouble).device(device));
  if (device.is_cpu()) {
    auto wide = plan;
    wide.dtype = DType::float64;
    wide.draw = draw;
    wide.low = 0;
    wide.high = 1;
    draw_independent(wide, random, out.numel(), out.data_ptr());
  } else {
    at::manual_seed(random.bits(0));
    if (draw == Draw::normal)
      out.normal_();
    else
      out.uniform_();
  }
  return out;
}

/// Standard normal numbers in float64 or complex128.
at::Tensor wide_normals(const DrawPlan& plan, const std::vector<std::int64_t>& shape, const Random& random,
                        at::Device device) {
  auto parts = shape;
  if (is_complex(plan.dtype)) parts.push_back(2);
  const auto out = wide_numbers(Draw::normal, plan, parts, random, device);
  return is_complex(plan.dtype) ? at::view_as_complex(out) : out;
}

/// The first `columns` columns of a random orthogonal (unitary) matrix of `rows` rows, for each matrix of the
/// plan: the product of as many reflections at random planes, I - V U⁻¹ Vᴴ, where U is the upper half of
/// VᴴV with a halved diagonal (Joffrain and others, ACM TOMS 32, 2006). A QR decomposition would give as
/// much, and takes a GPU a hundred times longer for many small matrices.
at::Tensor orthonormal(const DrawPlan& plan, std::int64_t rows, std::int64_t columns, const Random& random,
                       at::Device device) {
  auto shape = plan.shape;
  shape.end()[-2] = shape.end()[-1] = rows;
  const auto planes = wide_normals(plan, shape, random, device);
  const auto products = at::matmul(planes.mH(), planes);
  const auto halves = products.triu(1) + at::diag_embed(0.5 * products.diagonal(0, -2, -1));
  const auto some = planes.mH().narrow(-1, 0, columns);
  const auto turned = at::matmul(planes, at::linalg_solve_triangular(halves, some, /*upper=*/true));
  return at::eye(rows, columns, turned.options()) - turned;
}

/// The singular values of each matrix, with signs. One lies in the upper half of each k-th part of [0.5, 2]:
/// they lie apart, so that singular vectors are defined. Signs are random, since a product of reflections has
/// a determinant of known sign. Matrices of a batch share none of them: else all determinants of a call would
/// be one number, and one elimination would give them all.
at::Tensor signed_singular_values(const DrawPlan& plan, std::int64_t k, const Random& random,
                                  at::Device device) {
  auto shape = plan.shape;
  shape.pop_back();
  shape.back() = k;
  const auto within = wide_numbers(Draw::uniform, plan, shape, random.fork(2), device);
  const auto coin = wide_numbers(Draw::uniform, plan, shape, random.fork(3), device);
  const auto part = at::arange(k, within.options());
  const auto values = 2 - 1.5 * (part + 0.5 * within) / static_cast<double>(k);
  return at::where(coin < 0.5, values, -values);
}

/// A product of orthonormal columns (m × k) and rows (k × n) with singular values spread over [0.5, 2].
at::Tensor well_conditioned(const DrawPlan& plan, const Random& random, at::Device device) {
  const auto m = plan.shape.end()[-2], n = plan.shape.end()[-1], k = std::min(m, n);
  const auto left = orthonormal(plan, m, k, random, device);
  const auto right = orthonormal(plan, n, k, random.fork(1), device);
  const auto values = signed_singular_values(plan, k, random, device);
  return at::matmul(left * values.unsqueeze(-2), right.mH());
}

/// Rotates the first two rows of every second matrix (of a single one always) so that its first pivot is 0:
/// elimination that does not pivot divides by it. Singular values stay.
void lay_zero_pivots(at::Tensor& matrices, const Random& random) {
  if (matrices.size(-2) < 2 || matrices.numel() == 0) return;
  auto flat = matrices.reshape({-1, matrices.size(-2), matrices.size(-1)});
  const auto start = flat.size(0) == 1 ? 0 : static_cast<std::int64_t>(random.fork(4).below(0, 2));
  auto chosen = flat.slice(0, start, std::nullopt, 2);
  const auto first = chosen.select(1, 0).clone(), second = chosen.select(1, 1).clone();
  const auto a = first.narrow(1, 0, 1), b = second.narrow(1, 0, 1);
  const auto length = (a.abs().square() + b.abs().square()).sqrt();
  chosen.select(1, 0).copy_((b * first - a * second) / length);
  chosen.select(1, 1).copy_((a.conj() * first + b.conj() * second) / length);
  chosen.select(1, 0).select(1, 0).zero_();
  matrices = flat.reshape(matrices.sizes());
}

}  // namespace

at::Tensor draw_matrices(const DrawPlan& plan, const Random& random, at::Device device) {
  at::Tensor out;
  if (plan.draw == Draw::well_conditioned) {
    out = well_conditioned(plan, random, device);
    // Applies to every set. Timed calls use the standard one, so a kernel that met zero pivots in the edge
    // set only could skip pivoting when timed.
    lay_zero_pivots(out, random);
  } else {
    const auto a = wide_normals(plan, plan.shape, random, device);
    if (plan.draw == Draw::symmetric)
      out = (a + a.mH()) * 0.5;
    else
      out = at::matmul(a, a.mH()) / static_cast<double>(plan.row) + at::eye(plan.row, a.options());
    if (plan.draw == Draw::positive_definite)
      out = (out + out.mH()) * 0.5;  // a product need not be symmetric to the bit
  }
  return out.resolve_conj().to(scalar_type(plan.dtype)).contiguous();
}

}  // namespace ridgeline::verifier
