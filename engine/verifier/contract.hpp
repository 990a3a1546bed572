// Answers small questions about a task's contract, for several files of this room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {

/// The number of terms n behind one element, at least 1.
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

/// The longest chain of additions that a kernel may have where as many `sums` have n terms each. Up to
/// 65,536 terms it is n. A kernel splits longer sums until 1024 threads have work: one thread for sixteen
/// million terms would be a tolerance in which the sum of half of them fits. No chain has to be shorter than
/// 65,536, as many blocks may add to one element.
double chain_of(double n, double sums);

/// The constants of tolerance.hpp for an output of `dtype` that has so many elements.
Precision precision_for(const Task& task, const Case& task_case, InputSet set, DType dtype,
                        std::int64_t elements);

/// The index of the output that holds the number of rows of output `i`; -1 if the size of `i` is fixed.
int count_index(const std::vector<const Tensor*>& outputs, std::size_t i);

}  // namespace ridgeline::verifier
