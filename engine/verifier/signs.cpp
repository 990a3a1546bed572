#include "engine/verifier/signs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>

#include <algorithm>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {
namespace {

/// One unit phase for each index along the axis that is kept; the summed axis `across` stays with size 1.
at::Tensor phases_of(const at::Tensor& got, const at::Tensor& oracle, std::int64_t across) {
  const auto product = at::nan_to_num((oracle * got.conj()).sum(across, true).resolve_conj(), 0.0);
  const auto size = product.abs();
  return at::where(size > 0, product / at::where(size > 0, size, at::ones_like(size)),
                   at::ones_like(product));
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return at::nan_to_num((a - b).abs().to(at::kDouble), 0.0).sum().item<double>();
}

/// Says of each output whether it is a factor.
std::vector<bool> factors_of(const Task& task, const std::vector<at::Tensor>& outputs) {
  const auto& named = std::get<UpToSign>(task.contract).factors;
  const auto declared = outputs_of(task);
  const auto is_real_or_complex = [](const at::Tensor& t) { return t.is_floating_point() || t.is_complex(); };
  std::int64_t highest = 2;
  for (const auto& output : outputs)
    if (is_real_or_complex(output)) highest = std::max(highest, output.dim());
  std::vector<bool> factors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool meant = named.empty() ? outputs[i].dim() == highest
                                     : std::ranges::find(named, declared[i]->name) != named.end();
    factors.push_back(meant && is_real_or_complex(outputs[i]) && outputs[i].dim() >= 2);
  }
  return factors;
}

}  // namespace

std::vector<at::Tensor> align_signs(const Task& task, const std::vector<at::Tensor>& outputs,
                                    const std::vector<at::Tensor>& oracle) {
  const int axis = std::get<UpToSign>(task.contract).axis;
  const auto factors = factors_of(task, outputs);
  auto aligned = widen(outputs);
  at::Tensor phases;
  std::int64_t along = 0;
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    auto& output = aligned[i];
    if (!factors[i] || output.sizes() != oracle[i].sizes()) continue;
    if (!phases.defined()) {
      along = axis < 0 ? axis : axis - output.dim();
      phases = phases_of(output, oracle[i], along == -1 ? -2 : -1);
      output = (output * phases).resolve_conj().contiguous();
      continue;
    }
    // `phases` scales along the axis `along`; an output that pairs its other axis with it takes the
    // conjugate phases.
    const auto other = along == -1 ? -2 : -1;
    std::vector<at::Tensor> ways;
    if (phases.size(along) == output.size(along)) ways.push_back(output * phases);
    if (phases.size(along) == output.size(other)) ways.push_back(output * phases.transpose(-1, -2).conj());
    const at::Tensor* best = nullptr;
    for (const auto& way : ways)
      if (best == nullptr || distance(way, oracle[i]) < distance(*best, oracle[i])) best = &way;
    if (best != nullptr) output = best->resolve_conj().contiguous();
  }
  return aligned;
}

}  // namespace ridgeline::verifier
