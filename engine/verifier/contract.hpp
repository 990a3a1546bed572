// Small questions about a task's contract that several files of this room ask.
#pragma once

#include <algorithm>
#include <variant>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// The longest chain of additions per element, >= 1.
inline double reduction_of(const Task& task, const Symbols& sizes) {
  if (const auto* c = std::get_if<Elementwise>(&task.contract))
    return std::max(1.0, c->reduction.evaluate(sizes));
  if (const auto* c = std::get_if<Quantized>(&task.contract))
    return std::max(1.0, c->reduction.evaluate(sizes));
  if (const auto* c = std::get_if<UpToSign>(&task.contract))
    return std::max(1.0, c->reduction.evaluate(sizes));
  return 1;
}

inline double slack_of(const Task& task) {
  const auto* c = std::get_if<Elementwise>(&task.contract);
  return c == nullptr ? 1 : c->slack;
}

inline double intermediate_of(const Task& task) {
  const auto* c = std::get_if<Elementwise>(&task.contract);
  return c == nullptr ? 0 : c->intermediate;
}

inline bool lower_precision_allowed(const Task& task) {
  const auto* c = std::get_if<Elementwise>(&task.contract);
  return c != nullptr && c->lower_precision_allowed;
}

/// Which output holds the written count of output `i`; -1 if its size is fixed.
int count_index(const std::vector<const Tensor*>& outputs, std::size_t i);

}  // namespace ridgeline::verifier
