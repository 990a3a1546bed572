#include "engine/verifier/fit.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/round.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/poison.hpp"

namespace ridgeline::verifier {
namespace {

std::string shape_text(c10::IntArrayRef shape) {
  return fmt::format("[{}]", fmt::join(std::vector<std::int64_t>(shape.begin(), shape.end()), ", "));
}

[[noreturn]] void refuse(const Task& task, const Case& task_case, const Tensor& output,
                         const std::string& why) {
  throw BadInput(fmt::format("task '{}', case '{}': the reference's output '{}' {}", task.name,
                             task_case.name, output.name, why));
}

/// Checks the kind and shape of one output. If its size depends on the data, cuts it to `count` rows; -1
/// means that its size is fixed.
at::Tensor fit(const Task& task, const Case& task_case, const Tensor& declared, const at::Tensor& output,
               std::int64_t count) {
  const auto shape = shape_of(declared, task_case.sizes);
  const bool same_kind = output.is_complex() == is_complex(declared.dtype) &&
                         (output.is_complex() || output.is_floating_point() == is_floating(declared.dtype));
  if (!same_kind)
    refuse(task, task_case, declared,
           fmt::format("has dtype {}, and the task declares {}", c10::toString(output.scalar_type()),
                       to_string(declared.dtype)));
  auto fitted = output;
  if (count >= 0) {
    if (output.dim() == 0 || output.size(0) < count || shape.empty() || shape.front() < count)
      refuse(task, task_case, declared,
             fmt::format("has shape {}, and its count says {} rows", shape_text(output.sizes()), count));
    fitted = output.narrow(0, 0, count).contiguous();
  }
  auto wanted = shape;
  if (count >= 0) wanted.front() = count;
  if (fitted.sizes() != c10::IntArrayRef(wanted))
    refuse(
        task, task_case, declared,
        fmt::format("has shape {}, and the task declares {}", shape_text(output.sizes()), shape_text(shape)));
  return fitted;
}

std::int64_t count_of(const std::vector<at::Tensor>& outputs, int index) {
  return index < 0 ? -1 : outputs[static_cast<std::size_t>(index)].item().toLong();
}

}  // namespace

std::vector<at::Tensor> fit_outputs(const Task& task, const Case& task_case,
                                    const std::vector<at::Tensor>& outputs, bool wide) {
  const auto declared = outputs_of(task);
  std::vector<at::Tensor> fitted;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    auto dtype = scalar_type(declared[i]->dtype);
    if (wide && is_floating_or_complex(declared[i]->dtype))
      dtype = is_complex(declared[i]->dtype) ? at::kComplexDouble : at::kDouble;
    const auto count = count_of(outputs, count_index(declared, i));
    fitted.push_back(fit(task, task_case, *declared[i], outputs[i], count).to(dtype).contiguous());
  }
  return fitted;
}

std::vector<at::Tensor> as_written(const Task& task, const Case& task_case,
                                   const std::vector<at::Tensor>& outputs) {
  const auto declared = outputs_of(task);
  std::vector<at::Tensor> written;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const auto dtype = scalar_type(declared[i]->dtype);
    auto whole = at::empty(shape_of(*declared[i], task_case.sizes), at::TensorOptions().dtype(dtype));
    poison(declared[i]->dtype, whole.data_ptr(), whole.nbytes());
    const bool needs_rounding = outputs[i].is_floating_point() && !is_floating_or_complex(declared[i]->dtype);
    const auto values = (needs_rounding ? at::round(outputs[i]) : outputs[i]).to(dtype);
    if (values.dim() > 0 && whole.dim() > 0 && values.size(0) < whole.size(0))
      whole.narrow(0, 0, values.size(0)).copy_(values);
    else
      whole.copy_(values);
    written.push_back(std::move(whole));
  }
  return written;
}

}  // namespace ridgeline::verifier
