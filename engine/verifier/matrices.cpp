#include "engine/verifier/matrices.hpp"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/diag_embed.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/view_as_complex.h>

#include <algorithm>

#include "engine/verifier/buffers.hpp"

namespace ridgeline::verifier {
namespace {

/// Standard normal numbers in float64 or complex128.
at::Tensor wide_normals(const DrawPlan& plan, const std::vector<std::int64_t>& shape, const Random& random,
                        at::Device device) {
  auto parts = shape;
  if (is_complex(plan.dtype)) parts.push_back(2);
  auto out = at::empty(parts, at::TensorOptions().dtype(at::kDouble).device(device));
  if (device.is_cpu()) {
    auto wide = plan;
    wide.dtype = DType::float64;
    wide.draw = Draw::normal;
    wide.low = 0;
    wide.high = 1;
    draw_independent(wide, random, out.numel(), out.data_ptr());
  } else {
    at::manual_seed(random.bits(0));
    out.normal_();
  }
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

/// A product of orthonormal columns (m × k) and rows (k × n) with singular values spread over [0.5, 2].
at::Tensor well_conditioned(const DrawPlan& plan, const Random& random, at::Device device) {
  const auto m = plan.shape.end()[-2], n = plan.shape.end()[-1], k = std::min(m, n);
  const auto left = orthonormal(plan, m, k, random, device);
  const auto right = orthonormal(plan, n, k, random.fork(1), device);
  auto values = at::empty({k}, at::TensorOptions().dtype(at::kDouble));
  // One value in each k-th part of the interval: they lie apart, so that singular vectors are defined. Signs
  // are random, since a product of reflections has a determinant of known sign.
  for (std::int64_t i = 0; i < k; ++i) {
    const auto place = static_cast<std::uint64_t>(i);
    values.data_ptr<double>()[i] =
        (random.fork(3).below(place, 2) == 0 ? 1 : -1) *
        (2 - 1.5 * (static_cast<double>(i) + 0.5 * random.fork(2).unit(place)) / static_cast<double>(k));
  }
  return at::matmul(left * values.to(device), right.mH());
}

}  // namespace

at::Tensor draw_matrices(const DrawPlan& plan, const Random& random, at::Device device) {
  at::Tensor out;
  if (plan.draw == Draw::well_conditioned) {
    out = well_conditioned(plan, random, device);
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
