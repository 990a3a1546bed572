#include "engine/verifier/reference.hpp"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/compilation_unit.h>

#include <algorithm>
#include <optional>

#include "engine/core/out_of_memory.hpp"
#include "engine/core/short_number.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/choice.hpp"
#include "engine/verifier/reference_mark.hpp"
#include "engine/verifier/script_error.hpp"
#include "engine/verifier/script_names.hpp"
#include "engine/verifier/script_randomness.hpp"

namespace ridgeline::verifier {
namespace {

/// One text of a task, with what it takes and returns.
struct Script {
  const char* key = "";                // its key in the task's file, which messages name
  const char* function = "";           // the function that it must define
  std::vector<Parameter> parameters;   // those of role out are not taken
  std::optional<std::size_t> outputs;  // how many tensors it returns; empty: any number
  const char* declared = "";           // which outputs of the task these are, for messages
  std::shared_ptr<torch::jit::CompilationUnit> unit;
};

}  // namespace

struct TorchScript::Compiled {
  std::string task;
  std::vector<Parameter> declared;  // the task's own
  Script reference;
  std::optional<Script> unquantized, choose, check;
  std::vector<bool> chosen;          // each output; empty: there is no choice
  double roundoff = 0;               // what a check gets as `eps`
  std::optional<at::Device> device;  // where CPU arguments are computed; empty: on the CPU
};

namespace {

constexpr double most_bytes = 0x1p40;  // of one tensor: no machine has more memory

/// The reader of task files refuses such a task too, but a task may come over a pipe.
void refuse_contract_beside_choice(const Task& task) {
  const bool judged =
      std::holds_alternative<Elementwise>(task.contract) || std::holds_alternative<Exact>(task.contract);
  if (task.choice && !judged)
    throw BadInput(
        fmt::format("task '{}': beside a choice, the contract of the other outputs must be elementwise or "
                    "exact; give the task one of them",
                    task.name));
}

void compile_text(Script& script, const std::string& task, const std::string& text) {
  script.unit = std::make_shared<torch::jit::CompilationUnit>();
  try {
    script.unit->define(std::nullopt, text, script_names(), nullptr);
  } catch (const std::exception& error) {
    auto problem = read_script_error(error.what());
    problem.what = "no TorchScript that compiles: " + problem.what;
    throw BadInput(fmt::format("task '{}': {}", task, problem.text(script.key)));
  }
  if (!script.unit->find_function(c10::QualifiedName(script.function)))
    throw BadInput(
        fmt::format("task '{}': {}: must define a function named '{}'", task, script.key, script.function));
}

/// The parameters with outputs as inputs: those that `taken` names, or all of them.
std::vector<Parameter> taking_outputs(std::vector<Parameter> parameters,
                                      const std::vector<std::string>* taken = nullptr) {
  for (auto& parameter : parameters)
    if (auto* tensor = std::get_if<Tensor>(&parameter);
        tensor != nullptr && tensor->role == Role::out &&
        (taken == nullptr || std::ranges::find(*taken, tensor->name) != taken->end()))
      tensor->role = Role::in;
  return parameters;
}

/// Puts the tensors that a script takes into the order of `parameters`: inputs and inouts come from `args`,
/// the others, of role out in `declared`, from `outputs`.
std::vector<at::Tensor> in_order(const std::vector<Parameter>& declared, const std::vector<Parameter>& taken,
                                 const std::vector<at::Tensor>& args,
                                 const std::vector<at::Tensor>& outputs) {
  std::vector<at::Tensor> all;
  std::size_t next_argument = 0, next_output = 0;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const auto* tensor = std::get_if<Tensor>(&declared[i]);
    if (tensor == nullptr || std::get<Tensor>(taken[i]).role == Role::out) continue;
    all.push_back(tensor->role == Role::out ? outputs.at(next_output++) : args.at(next_argument++));
  }
  return all;
}

/// The check of the task's contract, or of its choice; null if there is none.
const ByCheck* check_of(const Task& task) {
  if (const auto* checked = std::get_if<ByCheck>(&task.contract)) return checked;
  return task.choice ? std::get_if<ByCheck>(&task.choice->contract) : nullptr;
}

void refuse_randomness(const std::string& task, const Script& script) {
  if (const auto draws = find_randomness(*script.unit))
    throw BadInput(
        fmt::format("task '{}': {}, so nothing can be compared with it: take the numbers as an input, or "
                    "give the task the contract {{kind: statistical}}",
                    task, draws->text(script.key)));
}

double coarsest_of(const std::vector<const Tensor*>& tensors) {
  double coarsest = 0;
  for (const auto* tensor : tensors)
    if (is_floating_or_complex(tensor->dtype)) coarsest = std::max(coarsest, unit_roundoff(tensor->dtype));
  return coarsest;
}

/// The unit roundoff of the coarsest floating output, or input if no output is floating.
double coarsest_roundoff(const Task& task) {
  const double of_outputs = coarsest_of(outputs_of(task));
  return of_outputs > 0 ? of_outputs : coarsest_of(task.tensors());
}

c10::IValue value_of(const Scalar& scalar, const Symbols& sizes) {
  const double value = scalar.value.evaluate(sizes);
  switch (scalar.type) {
    case ScalarType::int64:
      return static_cast<std::int64_t>(value);
    case ScalarType::boolean:
      return value != 0;
    case ScalarType::float64:
      return value;
  }
  return value;
}

/// Builds the function's stack: tensors and scalars in the order of parameters.
std::vector<c10::IValue> stack_of(const std::vector<Parameter>& parameters,
                                  const std::vector<at::Tensor>& args, const Symbols& sizes) {
  std::vector<c10::IValue> stack;
  std::size_t next = 0;
  for (const auto& parameter : parameters) {
    if (const auto* scalar = std::get_if<Scalar>(&parameter))
      stack.push_back(value_of(*scalar, sizes));
    else if (std::get<Tensor>(parameter).role != Role::out)
      stack.push_back(args.at(next++));
  }
  return stack;
}

std::vector<at::Tensor> tensors_of(const std::string& task, const Script& script, const c10::IValue& result) {
  std::vector<at::Tensor> tensors;
  if (result.isTensor()) {
    tensors.push_back(result.toTensor());
  } else if (result.isTuple()) {
    for (const auto& element : result.toTupleRef().elements())
      if (element.isTensor()) tensors.push_back(element.toTensor());
  }
  if (script.outputs && tensors.size() != *script.outputs)
    throw BadInput(fmt::format("task '{}': '{}' returns {} tensor(s), and the task declares {} {}", task,
                               script.function, tensors.size(), *script.outputs, script.declared));
  // Lazy conjugates and views would be read as raw memory later.
  for (auto& tensor : tensors) tensor = tensor.resolve_conj().resolve_neg().contiguous();
  return tensors;
}

std::string amount(double bytes) {
  const bool small = bytes < 999.5e9;  // which rounds to 1 TB
  return short_number(bytes * (small ? 1e-9 : 1e-12)) + (small ? " GB" : " TB");
}

/// Throws torch's own words for a call that failed: as the task's fault, or as this machine's that has too
/// little memory.
[[noreturn]] void raise(const std::string& task, const Case& task_case, const char* script,
                        const ScriptError& error) {
  const auto where = fmt::format("task '{}', case '{}': ", task, task_case.name);
  if (!error.bytes) throw BadInput(where + error.text(script));
  ScriptError shortage = error;
  shortage.what = fmt::format("asks for {} at once", amount(*error.bytes));
  if (*error.bytes > most_bytes)
    throw BadInput(where + shortage.text(script) +
                   ", and no machine has that: compute in parts, or give smaller sizes");
  throw OutOfMemory(where + shortage.text(script) + ", and this machine has less: give smaller sizes");
}

/// Calls the script on the tensors that it takes, in the order of its parameters; `more` are last arguments.
std::vector<at::Tensor> call(const Script& script, const std::string& task,
                             const std::vector<at::Tensor>& args, const Case& task_case,
                             const std::vector<c10::IValue>& more = {}) {
  const at::NoGradGuard no_grad;
  const ReferenceMark mark(task, task_case.name);
  try {
    auto stack = stack_of(script.parameters, args, task_case.sizes);
    stack.insert(stack.end(), more.begin(), more.end());
    auto& function = script.unit->get_function(c10::QualifiedName(script.function));
    return tensors_of(task, script, function(std::move(stack)));
  } catch (const Error&) {
    throw;
  } catch (const c10::OutOfMemoryError&) {
    throw;  // the device's memory; the judge decides what that means
  } catch (const std::exception& error) {
    raise(task, task_case, script.key, read_script_error(error.what()));
  }
}

/// Runs `compute`. CPU arguments are copied to `device` if there is one, and results back; arguments that
/// lie elsewhere are computed where they lie.
template <class Compute>
std::vector<at::Tensor> where_placed(const std::optional<at::Device>& device,
                                     const std::vector<at::Tensor>& args, Compute&& compute) {
  const bool on_cpu = args.empty() || args.front().is_cpu();
  if (!device || !on_cpu) return compute(args);
  std::vector<at::Tensor> moved;
  for (const auto& arg : args) moved.push_back(arg.to(*device));
  auto results = compute(moved);
  for (auto& result : results) result = result.cpu();
  return results;
}

}  // namespace

TorchScript::TorchScript(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
TorchScript::TorchScript(TorchScript&&) noexcept = default;
TorchScript& TorchScript::operator=(TorchScript&&) noexcept = default;
TorchScript::~TorchScript() = default;

TorchScript TorchScript::compile(const Task& task) {
  refuse_contract_beside_choice(task);
  auto compiled = std::make_unique<Compiled>();
  auto& c = *compiled;
  c.task = task.name;
  c.declared = task.parameters;
  c.roundoff = coarsest_roundoff(task);
  const std::size_t outputs = outputs_of(task).size();
  c.reference = {"reference", "reference", task.parameters, outputs, "of role out or inout", nullptr};
  if (task.choice) {
    c.chosen = chosen_outputs(task);
    const std::size_t chosen = task.choice->outputs.size();
    c.choose = {"choice.choose", "choose", task.parameters, chosen, "in its choice", nullptr};
    c.reference.parameters = taking_outputs(task.parameters, &task.choice->outputs);
    c.reference.outputs = outputs - chosen;
    c.reference.declared = "that are not chosen";
    compile_text(*c.choose, task.name, task.choice->choose);
  }
  compile_text(c.reference, task.name, task.reference);
  if (const auto* quantized = std::get_if<Quantized>(&task.contract)) {
    c.unquantized = c.reference;
    c.unquantized->key = "unquantized";
    compile_text(*c.unquantized, task.name, quantized->unquantized);
  }
  if (const auto* checked = check_of(task)) {
    c.check = {"check", "check", taking_outputs(task.parameters), std::nullopt, "", nullptr};
    compile_text(*c.check, task.name, checked->check);
    refuse_randomness(c.task, *c.check);
  }
  if (!std::holds_alternative<Statistical>(task.contract)) refuse_randomness(c.task, c.reference);
  if (task.choice && std::holds_alternative<ByCheck>(task.choice->contract))
    refuse_randomness(c.task, *c.choose);
  return TorchScript(std::move(compiled));
}

void TorchScript::place_on_cuda(int index) {
  compiled_->device = at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(index));
}

std::vector<at::Tensor> TorchScript::run(const std::vector<at::Tensor>& args, const Case& task_case) const {
  const auto& c = *compiled_;
  return where_placed(c.device, args, [&](const std::vector<at::Tensor>& there) {
    if (!c.choose) return call(c.reference, c.task, there, task_case);
    const auto choice = call(*c.choose, c.task, there, task_case);
    const auto others =
        call(c.reference, c.task, in_order(c.declared, c.reference.parameters, there, choice), task_case);
    return merge_outputs(c.chosen, choice, others);
  });
}

std::vector<at::Tensor> TorchScript::choose(const std::vector<at::Tensor>& args,
                                            const Case& task_case) const {
  const auto& c = *compiled_;
  if (!c.choose) return Reference::choose(args, task_case);
  return where_placed(c.device, args, [&](const std::vector<at::Tensor>& there) {
    return call(*c.choose, c.task, there, task_case);
  });
}

std::vector<at::Tensor> TorchScript::run_with_choice(const std::vector<at::Tensor>& args,
                                                     const std::vector<at::Tensor>& choice,
                                                     const Case& task_case) const {
  const auto& c = *compiled_;
  if (!c.choose) return Reference::run_with_choice(args, choice, task_case);
  return where_placed(
      c.device, in_order(c.declared, c.reference.parameters, args, choice),
      [&](const std::vector<at::Tensor>& there) { return call(c.reference, c.task, there, task_case); });
}

std::vector<at::Tensor> TorchScript::check(const std::vector<at::Tensor>& args,
                                           const std::vector<at::Tensor>& outputs,
                                           const Case& task_case) const {
  const auto& c = *compiled_;
  if (!c.check) return Reference::check(args, outputs, task_case);
  // On the CPU: an index out of range throws there, and on a device ends the judge's context.
  return call(*c.check, c.task, widen(in_order(c.declared, c.check->parameters, args, outputs)), task_case,
              {c10::IValue(c.roundoff)});
}

at::Device TorchScript::device() const {
  return compiled_->device.value_or(at::Device(at::kCPU));
}

bool TorchScript::has_unquantized() const {
  return compiled_->unquantized.has_value();
}

std::vector<at::Tensor> TorchScript::run_unquantized(const std::vector<at::Tensor>& args,
                                                     const Case& task_case) const {
  const auto& c = *compiled_;
  return where_placed(c.device, widen(args), [&](const std::vector<at::Tensor>& there) {
    return call(*c.unquantized, c.task, there, task_case);
  });
}

}  // namespace ridgeline::verifier
