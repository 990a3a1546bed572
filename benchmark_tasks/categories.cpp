#include "benchmark_tasks/categories.hpp"

namespace ridgeline::benchmark_tasks {

const std::vector<std::string>& categories() {
  static const std::vector<std::string> names{
      "Fusion",    "Math",       "LinearAlgebra", "Activation",   "MatrixMultiply",
      "Reduce",    "Index",      "Loss",          "Quantization", "Normalization",
      "Optimizer", "SpatialOps", "Convolution",   "Random",       "Pooling"};
  return names;
}

}  // namespace ridgeline::benchmark_tasks
