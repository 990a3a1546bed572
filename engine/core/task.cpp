#include "engine/core/task.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"

namespace ridgeline {

std::vector<const Tensor*> Task::tensors() const {
  std::vector<const Tensor*> tensors;
  for (const auto& parameter : parameters)
    if (const auto* tensor = std::get_if<Tensor>(&parameter)) tensors.push_back(tensor);
  return tensors;
}

std::vector<const Scalar*> Task::scalars() const {
  std::vector<const Scalar*> scalars;
  for (const auto& parameter : parameters)
    if (const auto* scalar = std::get_if<Scalar>(&parameter)) scalars.push_back(scalar);
  return scalars;
}

ScalarValues Task::scalar_values(const Case& task_case) const {
  ScalarValues values;
  for (const auto* scalar : scalars()) {
    const double value = scalar->value.evaluate(task_case.sizes);
    if (scalar->type == ScalarType::float64)
      values.floats.push_back(value);
    else
      values.integers.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

const Case* Task::find_case(const std::string& case_name) const {
  for (const auto& task_case : cases)
    if (task_case.name == case_name) return &task_case;
  return nullptr;
}

std::string_view backend_of(const Task& task, Language language) {
  const auto& backends = traits(language).backends;
  const auto named = [&](std::string_view backend) {
    return std::ranges::find(task.cases, backend, &Case::backend) != task.cases.end();
  };
  // A case without a backend counts for none: with cases for "cpu" and for "", the task is the CPU's.
  for (const auto backend : backends)
    if (named(backend)) return backend;
  return backends.front();
}

Task for_language(Task task, Language language, std::string_view backend) {
  task = on_backend(std::move(task), backend);
  if (backend_of(task, language) == backend) return task;
  // The mark changes the hash: verdicts of the same sizes on two backends must not share an address.
  for (auto& task_case : task.cases) task_case.backend = backend;
  task.hash = hash_of(task);
  return task;
}

std::optional<Form> answer_form(const Task& task, Language language) {
  if (task.module && traits(language).answers(Form::module)) return Form::module;
  return traits(language).answers(Form::kernel) ? std::optional(Form::kernel) : std::nullopt;
}

Task on_backend(Task task, std::string_view backend) {
  std::erase_if(task.cases, [&](const Case& task_case) {
    return !task_case.backend.empty() && task_case.backend != backend;
  });
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
  document.erase("hash");  // it is not part of what it addresses
  return sha256(document.dump());
}

std::string posed_text(const Task& task) {
  if (!task.module) return "";
  std::string text(task.module->cast_to ? to_string(*task.module->cast_to) : "");
  if (!task.module->scale.empty()) text += (text.empty() ? "scale " : ", scale ") + task.module->scale;
  return text;
}

}  // namespace ridgeline
