#include "engine/verifier/counts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::verifier {
namespace {

constexpr double tolerance = 0.01;  // counts may leave out a few scalars

/// Whether an integer or bool input may select which part of other inputs is read (gather, embedding).
bool may_select(const Task& task) {
  for (const auto* tensor : task.tensors())
    if (tensor->role != Role::out && !is_floating(tensor->dtype) && !is_complex(tensor->dtype)) return true;
  return false;
}

}  // namespace

Traffic traffic_of(const Task& task, const Symbols& sizes) {
  Traffic traffic;
  for (const auto* tensor : task.tensors()) {
    const auto bytes =
        static_cast<double>(byte_count(*tensor, sizes)) * (tensor->role == Role::inout ? 2 : 1);
    traffic.most += bytes;
    if (tensor->count.empty()) traffic.least += bytes;
  }
  return traffic;
}

std::optional<std::string> fault_in_bytes(const Task& task) {
  for (const auto& task_case : task.cases) {
    const double bytes = task.bytes.evaluate(task_case.sizes);
    const auto traffic = traffic_of(task, task_case.sizes);
    // Up to 64 bytes over are accepted: small cases may count their scalars.
    if (bytes > traffic.most * (1 + tolerance) + 64)
      return fmt::format(
          "case '{}': '{}' gives {:.0f} bytes, and all parameters together hold {:.0f}: count each input and "
          "each output once",
          task_case.name, task.bytes.text(), bytes, traffic.most);
    if (bytes <= 0 || (bytes < traffic.least * (1 - tolerance) - 64 && !may_select(task)))
      return fmt::format("case '{}': '{}' gives {:.0f} bytes, and the parameters need {:.0f}", task_case.name,
                         task.bytes.text(), bytes, traffic.least);
  }
  return std::nullopt;
}

std::optional<std::string> fault_in_operations(const Task& task) {
  for (const auto& task_case : task.cases) {
    const double operations = task.operations.evaluate(task_case.sizes);
    double elements = 0;
    for (const auto* tensor : task.tensors())
      if (tensor->role != Role::in && tensor->count.empty())
        elements = std::max(elements, static_cast<double>(element_count(*tensor, task_case.sizes)));
    if (operations != 0 && operations < elements)
      return fmt::format(
          "case '{}': '{}' gives {:.0f} operations for {:.0f} output elements: 0 or at least one each",
          task_case.name, task.operations.text(), operations, elements);
  }
  return std::nullopt;
}

}  // namespace ridgeline::verifier
