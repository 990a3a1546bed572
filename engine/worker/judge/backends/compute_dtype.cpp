#include "engine/worker/judge/backends/compute_dtype.hpp"

namespace ridgeline::judge {

std::string_view compute_dtype_name(const Task& task) {
  for (const auto* tensor : task.tensors())
    if (is_floating(tensor->dtype) || is_complex(tensor->dtype)) return to_string(tensor->dtype);
  return "integers";
}

}  // namespace ridgeline::judge
