#include "engine/verifier/contract.hpp"

namespace ridgeline::verifier {
namespace {

constexpr double kPlausibleChain = 65536, kLeastThreads = 1024;

/// The elements of all inputs.
double inputs_of(const Task& task, const Symbols& sizes) {
  double sum = 0;
  for (const auto* tensor : task.tensors()) {
    if (tensor->role == Role::out || !tensor->state.empty()) continue;
    double elements = 1;
    for (const auto& extent : tensor->shape) elements *= extent.evaluate(sizes);
    sum += elements;
  }
  return sum;
}

}  // namespace

double chain_of(double n, double sums) {
  const double threads_each = std::max(1.0, kLeastThreads / std::max(1.0, sums));
  return n <= kPlausibleChain ? n : std::max(kPlausibleChain, n / threads_each);
}

Precision precision_for(const Task& task, const Case& task_case, InputSet set, DType dtype,
                        std::int64_t elements) {
  const double n = reduction_of(task, task_case.sizes);
  // One sum that goes into all of a large output, as a norm does, is one sum and not one for each element.
  const double sums = std::min(static_cast<double>(elements), inputs_of(task, task_case.sizes) / n);
  return precision_of(dtype, chain_of(n, sums), set, slack_of(task), lower_precision_allowed(task),
                      intermediate_of(task));
}

int count_index(const std::vector<const Tensor*>& outputs, std::size_t i) {
  if (outputs[i]->count.empty()) return -1;
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k]->name == outputs[i]->count) return static_cast<int>(k);
  return -1;
}

}  // namespace ridgeline::verifier
