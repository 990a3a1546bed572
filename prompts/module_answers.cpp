#include "prompts/module_answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "engine/core/dtype.hpp"
#include "engine/core/signature.hpp"
#include "prompts/task_text.hpp"

namespace ridgeline::prompts {
namespace {

bool is_chosen(const Task& task, const Tensor& tensor) {
  return task.choice && std::ranges::find(task.choice->outputs, tensor.name) != task.choice->outputs.end();
}

/// The names of outputs, in their order: those of the choice, or the others.
std::vector<std::string> outputs_of_choice(const Task& task, bool chosen) {
  std::vector<std::string> names;
  for (const auto* tensor : task.tensors())
    if (tensor->role != Role::in && is_chosen(task, *tensor) == chosen) names.push_back(tensor->name);
  return names;
}

/// Returns the names of all parameters but outputs, in their order; `with_choice`: outputs of the choice too.
std::vector<std::string> arguments_of(const Task& task, bool with_choice) {
  std::vector<std::string> names;
  for (const auto& parameter : task.parameters) {
    if (const auto* scalar = std::get_if<Scalar>(&parameter)) names.push_back(scalar->name);
    if (const auto* tensor = std::get_if<Tensor>(&parameter);
        tensor != nullptr && (tensor->role != Role::out || (with_choice && is_chosen(task, *tensor))))
      names.push_back(tensor->name);
  }
  return names;
}

std::vector<std::string> forward_arguments(const Task& task) {
  return arguments_of(task, false);
}

/// `reference` takes the choice too.
std::vector<std::string> reference_arguments(const Task& task) {
  return arguments_of(task, true);
}

std::string forward_body(const Task& task) {
  const auto call = fmt::format("reference({})", fmt::join(reference_arguments(task), ", "));
  if (!task.choice) return fmt::format("        return {}\n", call);
  std::vector<std::string> all;
  for (const auto* tensor : task.tensors())
    if (tensor->role != Role::in) all.push_back(tensor->name);
  auto body = fmt::format("        {} = choose({})\n", fmt::join(outputs_of_choice(task, true), ", "),
                          fmt::join(forward_arguments(task), ", "));
  const auto others = outputs_of_choice(task, false);
  if (!others.empty()) body += fmt::format("        {} = {}\n", fmt::join(others, ", "), call);
  return body + fmt::format("        return {}\n", fmt::join(all, ", "));
}

const Case& shown_case(const Task& task) {
  const Case* shown = &task.cases.front();
  for (const auto& one : task.cases)
    if (is_visible(task, one.name) && (!is_visible(task, shown->name) || (one.timed && !shown->timed)))
      shown = &one;
  return *shown;
}

std::string input_text(const Tensor& tensor, const Case& shown) {
  const auto shape = fmt::format("{}", fmt::join(shape_of(tensor, shown.sizes), ", "));
  const auto* maker = is_floating_or_complex(tensor.dtype) ? "randn" : "ones";
  return fmt::format("torch.{}({}, dtype=torch.{})", maker, shape, to_string(tensor.dtype));
}

std::string scalar_text(const Scalar& scalar, const Case& shown) {
  const double value = scalar.value.evaluate(shown.sizes);
  if (scalar.type == ScalarType::boolean) return value != 0 ? "True" : "False";
  return scalar.type == ScalarType::int64 ? fmt::format("{}", static_cast<std::int64_t>(value))
                                          : fmt::format("{}", value);
}

}  // namespace

bool module_may_answer(const Task& task, Language language) {
  return !task.module && traits(language).syntax == Syntax::python &&
         answer_form(task, language) == Form::kernel;
}

std::string with_kernel_of_module(std::string_view source, const Task& task) {
  const auto tensors = task.tensors();
  std::vector<std::string> given, written;
  for (const auto& parameter : task.parameters) {
    if (const auto* scalar = std::get_if<Scalar>(&parameter)) {
      const auto scalars = task.scalars();
      const auto at = static_cast<std::size_t>(std::ranges::find(scalars, scalar) - scalars.begin());
      given.push_back(fmt::format("given[{}]", tensors.size() + task.sizes.size() + at));
      continue;
    }
    const auto& tensor = std::get<Tensor>(parameter);
    const auto at = static_cast<std::size_t>(std::ranges::find(tensors, &tensor) - tensors.begin());
    const auto place = is_complex(tensor.dtype) ? fmt::format("torch.view_as_complex(given[{}])", at)
                                                : fmt::format("given[{}]", at);
    if (tensor.role != Role::out) given.push_back(place);
    if (tensor.role != Role::in)
      written.push_back(fmt::format("({}, {})", place, tensor.count.empty() ? "False" : "True"));
  }
  return fmt::format(
      R"({}

# Behind the answer, by Ridgeline: the task asks for a function, and the answer is a class.
import torch

_ridgeline_model = None


def {}(*given):
    global _ridgeline_model
    if _ridgeline_model is None:
        _ridgeline_model = ModelNew().to(given[0].device)
    results = _ridgeline_model({})
    results = tuple(results) if isinstance(results, (tuple, list)) else (results,)
    outputs = [{}]
    if len(results) != len(outputs):
        raise ValueError(f"forward returned {{len(results)}} results; the task has {{len(outputs)}} outputs")
    for result, (output, counted) in zip(results, outputs):
        room = output[:result.shape[0]] if counted else output
        if result.shape != room.shape or result.dtype != room.dtype:
            raise ValueError(f"forward returned {{result.dtype}} {{list(result.shape)}} for {{room.dtype}} "
                             f"{{list(room.shape)}}")
        room.copy_(result)
)",
      source, entry_point(task), fmt::join(given, ", "), fmt::join(written, ", "));
}

std::string kernelbench_file_text(const Task& task) {
  const auto& shown = shown_case(task);
  std::vector<std::string> inputs;
  for (const auto& parameter : task.parameters) {
    if (const auto* scalar = std::get_if<Scalar>(&parameter)) inputs.push_back(scalar_text(*scalar, shown));
    if (const auto* tensor = std::get_if<Tensor>(&parameter); tensor != nullptr && tensor->role != Role::out)
      inputs.push_back(input_text(*tensor, shown));
  }
  return fmt::format(
      "import torch\nimport torch.nn as nn\n\n\n{}{}\n\nclass Model(nn.Module):\n    def forward(self, {}):\n"
      "{}\n\ndef get_inputs():\n    return [{}]\n\n\ndef get_init_inputs():\n    return []\n",
      task.choice ? task.choice->choose + "\n\n" : std::string(), task.reference,
      fmt::join(forward_arguments(task), ", "), forward_body(task), fmt::join(inputs, ", "));
}

}  // namespace ridgeline::prompts
