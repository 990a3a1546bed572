// Answers small questions about a task's contract, for several files of this room.
#pragma once

#include <algorithm>
#include <variant>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {

/// The length n of the longest chain of additions behind one element, at least 1 (tolerance.hpp: n).
inline double reduction_of(const Task& task, const Symbols& sizes) {
  if (const auto* c = std::get_if<Elementwise>(&task.contract))
    return std::max(1.0, c->reduction.evaluate(sizes));
  if (const auto* c = std::get_if<Quantized>(&task.contract))
    return std::max(1.0, c->reduction.evaluate(sizes));
  if (const auto* c = std::get_if<UpToSign>(&task.contract))
    return std::max(1.0, c->reduction.evaluate(sizes));
  return 1;
}

/// The factor that the task grants on its tolerance; 1 if it grants none.
inline double slack_of(const Task& task) {
  const auto* c = std::get_if<Elementwise>(&task.contract);
  return c == nullptr ? 1 : c->slack;
}

/// The magnitude of an intermediate value whose rounding a kernel may show (tolerance.hpp: m); 0 if none.
inline double intermediate_of(const Task& task) {
  const auto* c = std::get_if<Elementwise>(&task.contract);
  return c == nullptr ? 0 : c->intermediate;
}

/// Whether the task lets kernels compute in the next lower precision.
inline bool lower_precision_allowed(const Task& task) {
  const auto* c = std::get_if<Elementwise>(&task.contract);
  return c != nullptr && c->lower_precision_allowed;
}

/// The constants of tolerance.hpp for an output of `dtype`.
inline Precision precision_for(const Task& task, const Case& task_case, InputSet set, DType dtype) {
  return precision_of(dtype, reduction_of(task, task_case.sizes), set, slack_of(task),
                      lower_precision_allowed(task), intermediate_of(task));
}

/// The index of the output that holds the number of rows of output `i`; -1 if the size of `i` is fixed.
int count_index(const std::vector<const Tensor*>& outputs, std::size_t i);

}  // namespace ridgeline::verifier
