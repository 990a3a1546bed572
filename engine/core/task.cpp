#include "engine/core/task.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"

namespace ridgeline {

std::vector<const Tensor*> Task::tensors() const {
  std::vector<const Tensor*> found;
  for (const auto& parameter : parameters)
    if (const auto* tensor = std::get_if<Tensor>(&parameter)) found.push_back(tensor);
  return found;
}

std::vector<const Scalar*> Task::scalars() const {
  std::vector<const Scalar*> found;
  for (const auto& parameter : parameters)
    if (const auto* scalar = std::get_if<Scalar>(&parameter)) found.push_back(scalar);
  return found;
}

ScalarValues Task::scalar_values(const Case& one) const {
  ScalarValues values;
  for (const auto* scalar : scalars()) {
    const double value = scalar->value.evaluate(one.sizes);
    if (scalar->type == ScalarType::float64)
      values.floats.push_back(value);
    else
      values.integers.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

const Case* Task::find_case(const std::string& case_name) const {
  for (const auto& one : cases)
    if (one.name == case_name) return &one;
  return nullptr;
}

std::string_view backend_of(const Task& task, Language language) {
  const auto& backends = traits(language).backends;
  const auto named = [&](std::string_view backend) {
    return std::ranges::find(task.cases, backend, &Case::backend) != task.cases.end();
  };
  // One that no case is for is out where cases name another: of "cpu" and "", it is the CPU.
  for (const auto backend : backends)
    if (named(backend)) return backend;
  return backends.front();
}

Task for_language(Task task, Language language, std::string_view backend) {
  task = on_backend(std::move(task), backend);
  if (backend_of(task, language) == backend) return task;
  for (auto& one : task.cases) one.backend = backend;
  task.hash = hash_of(task);
  return task;
}

std::optional<Form> answer_form(const Task& task, Language language) {
  if (task.module && traits(language).answers(Form::module)) return Form::module;
  return traits(language).answers(Form::kernel) ? std::optional(Form::kernel) : std::nullopt;
}

Task on_backend(Task task, std::string_view backend) {
  std::erase_if(task.cases, [&](const Case& one) { return !one.backend.empty() && one.backend != backend; });
  task.hash = hash_of(task);
  return task;
}

std::vector<std::int64_t> shape_of(const Tensor& tensor, const Symbols& sizes) {
  std::vector<std::int64_t> shape;
  for (const auto& extent : tensor.shape) shape.push_back(extent.size(sizes));
  return shape;
}

std::int64_t element_count(const Tensor& tensor, const Symbols& sizes) {
  std::int64_t count = 1;
  for (const auto extent : shape_of(tensor, sizes)) count *= extent;
  return count;
}

std::size_t byte_count(const Tensor& tensor, const Symbols& sizes) {
  return static_cast<std::size_t>(element_count(tensor, sizes)) * size_of(tensor.dtype);
}

std::size_t state_bytes(const Task& task) {
  std::size_t sum = 0;
  for (const auto* tensor : task.tensors())
    if (!tensor->state.empty()) sum += byte_count(*tensor, task.cases.front().sizes);
  return sum;
}

Hash hash_of(const Task& task) {
  nlohmann::json document = task;
  document.erase("hash");
  return sha256(document.dump());
}

}  // namespace ridgeline
