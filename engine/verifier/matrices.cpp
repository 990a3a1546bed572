#include "engine/verifier/matrices.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/matmul.h>

#include "engine/verifier/buffers.hpp"

namespace ridgeline::verifier {
namespace {

/// Standard normal numbers in float64 or complex128.
at::Tensor normals(const DrawPlan& plan, const std::vector<std::int64_t>& shape, const Random& random) {
  DrawPlan wide = plan;
  wide.dtype = is_complex(plan.dtype) ? DType::complex128 : DType::float64;
  wide.draw = Draw::normal;
  wide.low = 0;
  wide.high = 1;
  auto out = at::empty(shape, at::TensorOptions().dtype(scalar_type(wide.dtype)));
  draw_independent(wide, random, out.numel(), out.data_ptr());
  return out;
}

/// A product of orthonormal columns (m × k) and rows (k × n) with singular values spread over [0.5, 2].
at::Tensor well_conditioned(const DrawPlan& plan, const Random& random) {
  auto left_shape = plan.shape;
  auto right_shape = plan.shape;
  const auto m = plan.shape.end()[-2], n = plan.shape.end()[-1], k = std::min(m, n);
  left_shape.back() = k;
  right_shape.end()[-2] = n;
  right_shape.back() = k;
  const auto left = std::get<0>(at::linalg_qr(normals(plan, left_shape, random)));
  const auto right = std::get<0>(at::linalg_qr(normals(plan, right_shape, random.fork(1))));
  auto values = at::empty({k}, at::TensorOptions().dtype(at::kDouble));
  // One value in each k-th part of the interval: they lie apart, so that singular vectors are defined.
  for (std::int64_t i = 0; i < k; ++i)
    values.data_ptr<double>()[i] =
        2 - 1.5 * (static_cast<double>(i) + 0.5 * random.fork(2).unit(static_cast<std::uint64_t>(i))) /
                static_cast<double>(k);
  return at::matmul(left * values, right.mH());
}

}  // namespace

at::Tensor draw_matrices(const DrawPlan& plan, const Random& random) {
  at::Tensor out;
  if (plan.draw == Draw::well_conditioned) {
    out = well_conditioned(plan, random);
  } else {
    const auto a = normals(plan, plan.shape, random);
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
