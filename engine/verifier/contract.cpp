#include "engine/verifier/contract.hpp"

namespace ridgeline::verifier {
namespace {

constexpr double kPlausibleChain = 65536, kLeastThreads = 1024;

}  // namespace

double chain_of(double n, std::int64_t elements) {
  const double threads_each =
      std::max(1.0, kLeastThreads / static_cast<double>(std::max<std::int64_t>(1, elements)));
  return n <= kPlausibleChain ? n : std::max(kPlausibleChain, n / threads_each);
}

Precision precision_for(const Task& task, const Case& task_case, InputSet set, DType dtype,
                        std::int64_t elements) {
  return precision_of(dtype, chain_of(reduction_of(task, task_case.sizes), elements), set, slack_of(task),
                      lower_precision_allowed(task), intermediate_of(task));
}

int count_index(const std::vector<const Tensor*>& outputs, std::size_t i) {
  if (outputs[i]->count.empty()) return -1;
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k]->name == outputs[i]->count) return static_cast<int>(k);
  return -1;
}

}  // namespace ridgeline::verifier
