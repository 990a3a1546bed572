#include "engine/verifier/on_device.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/quantization.hpp"
#include "engine/verifier/responses.hpp"
#include "engine/verifier/scan.hpp"

namespace ridgeline::verifier {
namespace {

/// Figures of an output all of whose elements are right.
struct Figures {
  std::vector<double> sample;  // ratios of error to tolerance, evenly spaced over the output
  double worst_ratio = 0;
};

/// One output beside what it is compared with; all tensors are flat.
struct ComparedOutput {
  DType dtype;
  at::Tensor got, oracle, tolerance, own;  // tolerance, own: undefined where there is none
};

/// Decides about the elements that a plain difference does not clear. They are few, and scan.hpp knows the
/// rules for infinities and NaN.
bool right_on_cpu(const ComparedOutput& output, const at::Tensor& doubtful) {
  const auto places = doubtful.nonzero().reshape(-1);
  const auto there = [&](const at::Tensor& t) {
    return t.defined() ? t.index_select(0, places).cpu().contiguous() : at::Tensor();
  };
  const auto got = there(output.got), oracle = there(output.oracle), own = there(output.own);
  auto tolerance = there(output.tolerance);
  if (tolerance.defined()) tolerance = tolerance.to(at::kDouble);
  Scan input;
  input.dtype = output.dtype;
  input.elements = got.numel();
  input.got = got.const_data_ptr();
  input.oracle = oracle.const_data_ptr();
  if (tolerance.defined()) input.tolerance = static_cast<const double*>(tolerance.const_data_ptr());
  if (own.defined()) input.own = own.const_data_ptr();
  return scan(input, nullptr).wrong == 0;
}

std::vector<double> sampled(const at::Tensor& ratio) {
  const auto sample =
      ratio.slice(0, 0, std::nullopt, ratio_step(ratio.numel())).to(at::kDouble).cpu().contiguous();
  const auto* begin = static_cast<const double*>(sample.const_data_ptr());
  return {begin, begin + sample.numel()};
}

Figures figures_of(const at::Tensor& error, const at::Tensor& tolerance) {
  Figures figures;
  const auto counts = error.isfinite().logical_and(error.gt(0));
  const auto ratio = at::where(counts, error.div(tolerance), 0.0);
  figures.worst_ratio = ratio.max().item<double>();
  figures.sample = sampled(ratio);
  return figures;
}

at::Tensor error_of(const ComparedOutput& output) {
  return output.got.to(at::kDouble).sub(output.oracle.to(at::kDouble)).abs();
}

/// Says for each element whether a plain difference finds it right.
at::Tensor clear_of(const ComparedOutput& output) {
  if (output.tolerance.defined()) {
    const auto error = error_of(output);
    return error.le(output.tolerance).logical_and(error.isfinite());
  }
  // Equality is asked for: the oracle's value is rounded to the output's dtype first.
  return output.got.eq(is_floating_or_complex(output.dtype) ? output.oracle.to(output.got.scalar_type())
                                                            : output.oracle);
}

/// The fast way: a few passes suffice where every element is clearly within its tolerance. Empty if one is
/// not, or if something is not finite.
std::optional<Figures> clearly_right(const ComparedOutput& output) {
  const auto ratio = output.got.sub(output.oracle).abs_().div_(output.tolerance);
  Figures figures;
  figures.worst_ratio = ratio.max().item<double>();
  // The comparison is negated so that NaN, which compares false, is not taken as right.
  if (!(figures.worst_ratio < 1)) return std::nullopt;
  figures.sample = sampled(ratio);
  return figures;
}

/// Compares a piece of an output; empty if an element is wrong.
std::optional<Figures> check_piece(const ComparedOutput& output) {
  if (output.tolerance.defined() && output.oracle.scalar_type() == at::kDouble && output.got.numel() > 0)
    if (auto figures = clearly_right(output)) return figures;
  const auto clear = clear_of(output);
  if (!clear.all().item<bool>() && !right_on_cpu(output, clear.logical_not())) return std::nullopt;
  return output.tolerance.defined() ? figures_of(error_of(output), output.tolerance) : Figures{};
}

/// Compares an output of any size, piece by piece.
std::optional<Figures> check(const ComparedOutput& output) {
  Figures all;
  const auto elements = output.got.numel();
  for (std::int64_t begin = 0; begin < elements; begin += kPieceElements) {
    const auto cut = [&](const at::Tensor& t) {
      return t.defined() ? t.narrow(0, begin, std::min(kPieceElements, elements - begin)) : t;
    };
    const auto piece = check_piece(
        {output.dtype, cut(output.got), cut(output.oracle), cut(output.tolerance), cut(output.own)});
    if (!piece) return std::nullopt;
    all.worst_ratio = std::max(all.worst_ratio, piece->worst_ratio);
    all.sample.insert(all.sample.end(), piece->sample.begin(), piece->sample.end());
  }
  return all;
}

/// The flat index of the first wrong element; 0 if none is wrong.
std::int64_t first_wrong(const ComparedOutput& output) {
  const auto elements = output.got.numel();
  for (std::int64_t begin = 0; begin < elements; begin += kPieceElements) {
    const auto cut = [&](const at::Tensor& t) {
      return t.defined() ? t.narrow(0, begin, std::min(kPieceElements, elements - begin)) : t;
    };
    const ComparedOutput piece{output.dtype, cut(output.got), cut(output.oracle), cut(output.tolerance),
                               cut(output.own)};
    if (check_piece(piece)) continue;
    return begin + clear_of(piece).logical_not().nonzero().reshape(-1)[0].item<std::int64_t>();
  }
  return 0;
}

QuantizationDistance distance_of(const at::Tensor& got, const at::Tensor& plain) {
  const auto a = got.to(at::kDouble), noise = a.sub(plain);
  const auto sum = [](const at::Tensor& t) { return t.sum().item<double>(); };
  return quantization_distance({.product = sum(a.mul(plain)),
                                .of_got = sum(a.square()),
                                .of_plain = sum(plain.square()),
                                .noise = sum(noise.square()),
                                .absolute = sum(noise.abs()),
                                .plain = sum(plain.abs()),
                                .elements = static_cast<double>(a.numel())});
}

/// Flattens a tensor. A candidate may have left any byte in a bool, so bools are compared as bytes.
at::Tensor flat(const at::Tensor& t) {
  return (t.scalar_type() == at::kBool ? t.view(at::kByte) : t).reshape(-1);
}

}  // namespace

bool judged_on_device(const Task& task) {
  if (std::holds_alternative<Statistical>(task.contract) || std::holds_alternative<UpToSign>(task.contract) ||
      std::holds_alternative<ByCheck>(task.contract))
    return false;
  // A checked choice is an index, say, and one out of range ends a device's context.
  if (task.choice && !std::holds_alternative<Statistical>(task.choice->contract)) return false;
  const auto tensors = task.tensors();
  return std::none_of(tensors.begin(), tensors.end(), [](const auto* t) { return is_complex(t->dtype); });
}

std::vector<at::Tensor> moved_to_reference_device(const Reference& reference, const Task& task,
                                                  const std::vector<at::Tensor>& inputs) {
  const auto device = reference.device();
  if (device.is_cpu() || !judged_on_device(task)) return inputs;
  std::vector<at::Tensor> moved;
  for (const auto& input : inputs) moved.push_back(input.to(device));
  return moved;
}

std::vector<at::Tensor> to_cpu(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> here;
  for (const auto& tensor : tensors) here.push_back(tensor.defined() ? tensor.cpu() : tensor);
  return here;
}

Expected to_cpu(const Expected& expected) {
  auto here = expected;
  for (auto* tensors :
       {&here.oracle, &here.tolerance, &here.scale, &here.own, &here.unquantized, &here.draws})
    *tensors = to_cpu(*tensors);
  for (auto* tensors : {&here.tolerance, &here.scale})
    for (auto& tensor : *tensors)
      if (tensor.defined()) tensor = tensor.to(at::kDouble);
  return here;
}

Excerpt bring_to_cpu(const Task& task, const Expected& expected, const std::vector<at::Tensor>& got,
                     std::int64_t most) {
  const auto declared = outputs_of(task);
  Excerpt excerpt{task, expected, got, ""};
  // Distances of quantized and statistical outputs need every element.
  const bool whole = !expected.unquantized.empty() || !expected.draws.empty();
  for (std::size_t i = 0; i < declared.size() && !whole; ++i) {
    const bool same_form = i < got.size() && got[i].sizes() == expected.oracle[i].sizes() &&
                           got[i].scalar_type() == scalar_type(declared[i]->dtype);
    if (!same_form || got[i].dim() == 0 || got[i].numel() <= most || count_index(declared, i) >= 0) continue;
    const auto row = got[i].numel() / got[i].size(0);
    const bool bounded = i < expected.tolerance.size() && expected.tolerance[i].defined();
    const auto place = first_wrong(
        {declared[i]->dtype, flat(got[i]), flat(expected.oracle[i]),
         bounded ? expected.tolerance[i].reshape(-1) : at::Tensor(),
         is_floating_or_complex(declared[i]->dtype) ? expected.own[i].reshape(-1) : at::Tensor()});
    const auto begin = place / row,
               rows = std::min(std::max<std::int64_t>(1, most / row), got[i].size(0) - begin);
    for (auto* tensors : {&excerpt.got, &excerpt.expected.oracle, &excerpt.expected.tolerance,
                          &excerpt.expected.scale, &excerpt.expected.own})
      if (i < tensors->size() && (*tensors)[i].defined())
        (*tensors)[i] = (*tensors)[i].narrow(0, begin, rows);
    for (auto& parameter : excerpt.task.parameters)
      if (auto* tensor = std::get_if<Tensor>(&parameter); tensor && tensor->name == declared[i]->name)
        tensor->shape.front() = Expression::parse(std::to_string(rows));
    excerpt.part += fmt::format("{}rows {} to {} of '{}'", excerpt.part.empty() ? "" : ", ", begin,
                                begin + rows - 1, declared[i]->name);
  }
  excerpt.expected = to_cpu(excerpt.expected);
  excerpt.got = to_cpu(excerpt.got);
  return excerpt;
}

std::optional<Comparison> compare_on_device(const Task& task, const Case& task_case, InputSet set,
                                            const Expected& expected, const std::vector<at::Tensor>& got) {
  const auto declared = outputs_of(task);
  Comparison comparison;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const auto shape = shape_of(*declared[i], task_case.sizes);
    if (i >= got.size() || got[i].scalar_type() != scalar_type(declared[i]->dtype) ||
        got[i].sizes() != c10::IntArrayRef(shape))
      return std::nullopt;
    auto written = got[i];
    if (const int index = count_index(declared, i); index >= 0) {
      const auto at = static_cast<std::size_t>(index);
      const auto rows = expected.oracle[at].item<std::int64_t>();
      if (got[at].item<std::int64_t>() != rows) return std::nullopt;
      written = written.narrow(0, 0, rows);
    }
    const bool bounded = i < expected.tolerance.size() && expected.tolerance[i].defined();
    const auto figures =
        check({declared[i]->dtype, flat(written), flat(expected.oracle[i]),
               bounded ? expected.tolerance[i].reshape(-1) : at::Tensor(),
               is_floating_or_complex(declared[i]->dtype) ? expected.own[i].reshape(-1) : at::Tensor()});
    if (!figures) return std::nullopt;
    if (bounded && is_floating_or_complex(declared[i]->dtype)) {
      auto sample = figures->sample;
      const auto shares = error_shares(sample);
      comparison.errors.push_back(
          {task_case.name, set, declared[i]->name, shares.median, shares.p99, figures->worst_ratio});
    }
    if (expected.unquantized.empty()) continue;
    auto distance = distance_of(written, expected.unquantized[i]);
    distance.case_name = task_case.name;
    distance.output = declared[i]->name;
    comparison.quantization.push_back(std::move(distance));
  }
  return comparison;
}

}  // namespace ridgeline::verifier
