#include "engine/verifier/signs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>

#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {
namespace {

/// One unit phase for each index of `axis`, kept as a size-1 axis where the sum went.
at::Tensor phases_of(const at::Tensor& got, const at::Tensor& oracle, std::int64_t across) {
  const auto product = at::nan_to_num((oracle * got.conj()).sum(across, true).resolve_conj(), 0.0);
  const auto size = product.abs();
  return at::where(size > 0, product / at::where(size > 0, size, at::ones_like(size)),
                   at::ones_like(product));
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return at::nan_to_num((a - b).abs().to(at::kDouble), 0.0).sum().item<double>();
}

}  // namespace

std::vector<at::Tensor> align_signs(const std::vector<at::Tensor>& outputs,
                                    const std::vector<at::Tensor>& oracle, int axis) {
  auto aligned = widen(outputs);
  at::Tensor phases;
  std::int64_t along = 0;
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    auto& one = aligned[i];
    const bool factor =
        one.dim() >= 2 && (one.is_floating_point() || one.is_complex()) && one.sizes() == oracle[i].sizes();
    if (!factor) continue;
    if (!phases.defined()) {
      along = axis < 0 ? axis : axis - one.dim();
      phases = phases_of(one, oracle[i], along == -1 ? -2 : -1);
      one = (one * phases).resolve_conj().contiguous();
      continue;
    }
    // `phases` is shaped for scaling along `along`; across the other of the last two axes they stand
    // conjugated.
    const auto other = along == -1 ? -2 : -1;
    std::vector<at::Tensor> ways;
    if (phases.size(along) == one.size(along)) ways.push_back(one * phases);
    if (phases.size(along) == one.size(other)) ways.push_back(one * phases.transpose(-1, -2).conj());
    const at::Tensor* best = nullptr;
    for (const auto& way : ways)
      if (best == nullptr || distance(way, oracle[i]) < distance(*best, oracle[i])) best = &way;
    if (best != nullptr) one = best->resolve_conj().contiguous();
  }
  return aligned;
}

}  // namespace ridgeline::verifier
