#include "prompts/task_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/signature.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

std::string draw_text(const Distribution& input) {
  const auto &low = input.low.text(), &high = input.high.text();
  switch (input.draw) {
    case Draw::normal:
      return fmt::format("normal, mean {}, standard deviation {}", low, high);
    case Draw::uniform:
      return fmt::format("uniform in [{}, {})", low, high);
    case Draw::constant:
      return fmt::format("every element {}", low);
    case Draw::sorted:
      return fmt::format("uniform in [{}, {}), ascending along the last axis", low, high);
    case Draw::permutation:
      return "along the last axis a random permutation of 0 to n - 1";
    case Draw::probabilities:
      return "positive, summing to one along the last axis";
    case Draw::positive_definite:
      return "symmetric positive definite matrices";
    case Draw::symmetric:
      return "symmetric matrices";
    case Draw::well_conditioned:
      return "well-conditioned matrices, singular values from 0.5 to 2";
    case Draw::bernoulli:
      return fmt::format("1 with probability {}, else 0", high);
    case Draw::reference:
      return "as the reference's own code makes it";
  }
  return "";
}

/// Names the dtypes of the outputs, each once: "float32", "float32 and int64".
std::string output_dtypes(const Task& task) {
  std::vector<std::string_view> names;
  for (const auto* tensor : task.tensors()) {
    const auto name = to_string(tensor->dtype);
    if (tensor->role != Role::in && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  std::string text;
  for (const auto name : names) text += fmt::format("{}{}", text.empty() ? "" : " and ", name);
  return text;
}

/// A reduction of length 1 is no reduction, and would only puzzle the reader.
std::string reduction_text(const Expression& reduction) {
  return reduction.text() == "1" ? "" : fmt::format(", the length of the reduction ({})", reduction.text());
}

/// Puts a contract into words. A model that knows the rule does not try to pass it by a lower precision.
struct Words {
  const Task& task;

  std::string operator()(const Elementwise& contract) const {
    auto text = fmt::format(
        "Every element must agree with the reference evaluated in double precision. The tolerance comes from "
        "the dtype ({}){} and the rounding error of the reference itself; there is no room beyond that.",
        output_dtypes(task), reduction_text(contract.reduction));
    text += contract.lower_precision_allowed
                ? " Computing in a lower precision than the dtype's is allowed where the tolerance admits it."
                : " Results that show a lower precision of computation than the dtype's are rejected.";
    return text;
  }
  std::string operator()(const Exact&) const {
    return "Every element must equal the reference's, bit by bit.";
  }
  std::string operator()(const Quantized& contract) const {
    return fmt::format(
        "The quantized computation itself is the reference: granularity, scales and rounding must be as "
        "written there. {} of the elements may differ by one rounding step of the output, as ties do{}. The "
        "same computation without quantization is rejected.",
        percent_text(contract.step_fraction), reduction_text(contract.reduction));
  }
  std::string operator()(const Statistical&) const {
    return "The output is random: its distribution counts, not its bits. Moments and a Kolmogorov-Smirnov "
           "distance against the reference's distribution are tested, and that elements, and calls with "
           "different seeds, are independent of each other.";
  }
  std::string operator()(const UpToSign& contract) const {
    return fmt::format(
        "Factors may differ from the reference's by the sign (or unit phase) of {}; their product must "
        "rebuild the input, within a tolerance from the dtype ({}){}.",
        contract.axis == -1 ? "each column" : fmt::format("each slice along axis {}", contract.axis),
        output_dtypes(task), reduction_text(contract.reduction));
  }
  std::string operator()(const ByCheck& contract) const {
    return fmt::format(
        "Any outputs are right that pass this check. It gets inputs and outputs in float64 and `eps`, the "
        "unit roundoff of the outputs' dtype, and returns errors ({}) over what is allowed: none may exceed "
        "1.\n\n```python\n{}```",
        fmt::join(contract.names, ", "), contract.check);
  }
};

/// Names outputs as code: "`mask`", "`P` and `L`".
std::string output_names(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += fmt::format("{}`{}`", text.empty() ? "" : " and ", name);
  return text;
}

}  // namespace

bool is_visible(const Task& task, const std::string& case_name) {
  const auto* task_case = task.find_case(case_name);
  return task_case && !task_case->hidden && !task_case->final;
}

std::string case_text(const Task& task, const std::string& case_name) {
  if (!is_visible(task, case_name)) return "an unseen case";
  const auto& sizes = task.find_case(case_name)->sizes;
  return sizes.empty() ? fmt::format("`{}`", case_name)
                       : fmt::format("`{}` ({})", case_name, sizes_text(sizes));
}

std::string cases_text(const Task& task) {
  std::string text = "Cases:\n";
  bool unseen = false;
  for (const auto& one : task.cases) {
    unseen = unseen || one.hidden || one.final;
    if (one.hidden || one.final) continue;
    text += fmt::format("\n- {}{}", case_text(task, one.name), one.timed ? ", timed" : "");
  }
  // Not how many: the number of hidden cases is nothing that a kernel needs.
  if (unseen) text += "\n- and cases that you do not see, with other sizes";
  return text;
}

std::string_view reference_text(const Task& task, Form form) {
  const std::string_view text = task.reference;
  if (!answers_with_function(task)) return text;
  // The oracle puts the reference, the line that names its function, the adapter and get_inputs together.
  const auto end = form == Form::module ? text.find("\n_ridgeline_entry = ")
                                        : text.find(task.module->adapter) + task.module->adapter.size();
  return text.substr(0, end);
}

std::string posing_text(const Task& task, Form form) {
  if (!task.module) return "";
  std::string text;
  if (task.module->cast_to) {
    const auto dtype = to_string(*task.module->cast_to);
    text =
        form == Form::module
            ? fmt::format(
                  "All of it is run in {0}: once constructed, `Model` and your class are moved by "
                  "`.to(torch.{0})`, which casts parameters and buffers, and `forward` gets its "
                  "floating inputs in {0}.",
                  dtype)
            : fmt::format("All of it is run in {}: parameters, buffers and floating inputs are cast to it.",
                          dtype);
    text +=
        " What is right is computed in double precision from the same cast values, so sums are better "
        "kept in float32.";
  }
  if (!task.module->scale.empty())
    text += fmt::format("{}The shapes of this file were made smaller, scale {}.", text.empty() ? "" : " ",
                        task.module->scale);
  return text;
}

std::string calls_text(const Task& task) {
  std::string text;
  for (const auto* tensor : task.tensors()) {
    if (tensor->role != Role::in) continue;
    std::string shape;
    for (const auto& extent : tensor->shape) shape += (shape.empty() ? "" : ", ") + extent.text();
    text += fmt::format("# {}: {} [{}]\n", tensor->name, to_string(tensor->dtype), shape);
  }
  const auto& adapter = task.module->adapter;
  return text + adapter.substr(std::min(adapter.size(), adapter.find("def _ridgeline_flat")));
}

std::string inputs_text(const Task& task) {
  std::string text, plain;
  for (const auto* tensor : task.tensors()) {
    // Outputs are not drawn, and weights are drawn once by the task's file.
    if (tensor->role == Role::out || !tensor->state.empty()) continue;
    text +=
        fmt::format("\n- `{}` ({}): {}", tensor->name, to_string(tensor->dtype), draw_text(tensor->input));
    if (tensor->input.outliers && is_floating(tensor->dtype))
      plain += fmt::format("{}`{}`", plain.empty() ? "" : ", ", tensor->name);
  }
  if (text.empty()) return "";
  text = "Inputs are drawn like this:\n" + text + "\n\nEach case is checked on such inputs, ";
  if (!plain.empty()) text += fmt::format("on inputs with rare outliers 50 times as large (in {}), ", plain);
  return text +
         "and on edge values: zeros, ties, extremes, and infinities or NaN where the operator defines what "
         "becomes of them.";
}

std::string contract_text(const Task& task) {
  auto text = "What counts as right: " + std::visit(Words{task}, task.contract);
  if (task.choice)
    text += fmt::format(
        " The kernel chooses {} itself, and the other outputs must fit that choice: the reference takes it "
        "as an argument. For {}: {} One way to choose:\n\n```python\n{}```\n",
        output_names(task.choice->outputs), output_names(task.choice->outputs),
        std::visit(Words{task}, task.choice->contract), task.choice->choose);
  if (task.deterministic) text += " Two runs on the same inputs must give the same bits.";
  return text;
}

std::string workspace_text(const Task& task, Language language) {
  std::string sizes, arguments;
  for (const auto& size : task.sizes) sizes += fmt::format("{}int64_t {}", sizes.empty() ? "" : ", ", size);
  for (const auto& one : kernel_arguments(task, language, true))
    arguments += fmt::format("{}{} {}", arguments.empty() ? "" : ", ", one.type, one.name);
  return fmt::format("extern \"C\" size_t {}({})\nextern \"C\" void {}({})", workspace_entry_point(task),
                     sizes, entry_point(task), arguments);
}

}  // namespace ridgeline::prompts
