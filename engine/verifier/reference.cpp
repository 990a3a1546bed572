#include "engine/verifier/reference.hpp"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/compilation_unit.h>

#include <optional>

#include "engine/core/out_of_memory.hpp"
#include "engine/core/short_number.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/perturb.hpp"
#include "engine/verifier/reference_mark.hpp"
#include "engine/verifier/script_error.hpp"
#include "engine/verifier/script_names.hpp"
#include "engine/verifier/script_randomness.hpp"

namespace ridgeline::verifier {

struct TorchScript::Compiled {
  std::string task;
  std::vector<Parameter> parameters;
  std::size_t outputs = 0;
  std::shared_ptr<torch::jit::CompilationUnit> reference, unquantized;
  std::optional<at::Device> device;  // where CPU arguments are computed; empty: on the CPU
};

namespace {

constexpr const char* entry = "reference";
constexpr const char* reference_script = "reference";  // the key in a task's file
constexpr const char* unquantized_script = "unquantized";
constexpr double most_bytes = 0x1p40;  // of one tensor: no machine has more memory

std::shared_ptr<torch::jit::CompilationUnit> compile_text(const std::string& task, const char* script,
                                                          const std::string& text) {
  auto unit = std::make_shared<torch::jit::CompilationUnit>();
  try {
    unit->define(std::nullopt, text, script_names(), nullptr);
  } catch (const std::exception& error) {
    auto problem = read_script_error(error.what());
    problem.what = "no TorchScript that compiles: " + problem.what;
    throw BadInput(fmt::format("task '{}': {}", task, problem.text(script)));
  }
  if (!unit->find_function(c10::QualifiedName(entry)))
    throw BadInput(fmt::format("task '{}': {}: must define a function named '{}'", task, script, entry));
  return unit;
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

std::vector<at::Tensor> tensors_of(const std::string& task, const c10::IValue& result, std::size_t wanted) {
  std::vector<at::Tensor> tensors;
  if (result.isTensor()) {
    tensors.push_back(result.toTensor());
  } else if (result.isTuple()) {
    for (const auto& element : result.toTupleRef().elements())
      if (element.isTensor()) tensors.push_back(element.toTensor());
  }
  if (tensors.size() != wanted)
    throw BadInput(fmt::format(
        "task '{}': the reference returns {} tensor(s), and the task declares {} of role out or inout", task,
        tensors.size(), wanted));
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

std::vector<at::Tensor> call(torch::jit::CompilationUnit& unit, const char* script, const std::string& task,
                             const std::vector<Parameter>& parameters, std::size_t outputs,
                             const std::vector<at::Tensor>& args, const Case& task_case) {
  const at::NoGradGuard no_grad;
  const ReferenceMark mark(task, task_case.name);
  try {
    auto stack = stack_of(parameters, args, task_case.sizes);
    return tensors_of(task, unit.get_function(c10::QualifiedName(entry))(std::move(stack)), outputs);
  } catch (const Error&) {
    throw;
  } catch (const c10::OutOfMemoryError&) {
    throw;  // the device's memory; the judge decides what that means
  } catch (const std::exception& error) {
    raise(task, task_case, script, read_script_error(error.what()));
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

std::vector<at::Tensor> Reference::run_perturbed(const std::vector<at::Tensor>& args, const Case& task_case,
                                                 double step, std::uint64_t seed) const {
  return run(step == 0 ? widen(args) : perturbed(widen(args), step, seed), task_case);
}

std::vector<at::Tensor> Reference::run_unquantized(const std::vector<at::Tensor>&, const Case&) const {
  throw Error("this reference has no unquantized computation");
}

std::vector<at::Tensor> Reference::draw(std::uint64_t) const {
  throw BadInput("the reference draws no inputs: it is no module of torch");
}

TorchScript::TorchScript(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
TorchScript::TorchScript(TorchScript&&) noexcept = default;
TorchScript& TorchScript::operator=(TorchScript&&) noexcept = default;
TorchScript::~TorchScript() = default;

TorchScript TorchScript::compile(const Task& task) {
  auto compiled = std::make_unique<Compiled>();
  compiled->task = task.name;
  compiled->parameters = task.parameters;
  compiled->outputs = outputs_of(task).size();
  compiled->reference = compile_text(task.name, reference_script, task.reference);
  if (const auto* quantized = std::get_if<Quantized>(&task.contract))
    compiled->unquantized = compile_text(task.name, unquantized_script, quantized->unquantized);
  if (!std::holds_alternative<Statistical>(task.contract))
    if (const auto draws = find_randomness(*compiled->reference))
      throw BadInput(
          fmt::format("task '{}': {}, so nothing can be compared with it: take the numbers as an input, or "
                      "give the task the contract {{kind: statistical}}",
                      task.name, draws->text(reference_script)));
  return TorchScript(std::move(compiled));
}

void TorchScript::place_on_cuda(int index) {
  compiled_->device = at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(index));
}

std::vector<at::Tensor> TorchScript::run(const std::vector<at::Tensor>& args, const Case& task_case) const {
  const auto& c = *compiled_;
  return where_placed(c.device, args, [&](const std::vector<at::Tensor>& there) {
    return call(*c.reference, reference_script, c.task, c.parameters, c.outputs, there, task_case);
  });
}

at::Device TorchScript::device() const {
  return compiled_->device.value_or(at::Device(at::kCPU));
}

bool TorchScript::has_unquantized() const {
  return compiled_->unquantized != nullptr;
}

std::vector<at::Tensor> TorchScript::run_unquantized(const std::vector<at::Tensor>& args,
                                                     const Case& task_case) const {
  const auto& c = *compiled_;
  return where_placed(c.device, widen(args), [&](const std::vector<at::Tensor>& there) {
    return call(*c.unquantized, unquantized_script, c.task, c.parameters, c.outputs, there, task_case);
  });
}

std::vector<at::Tensor> widen(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> wide;
  for (const auto& tensor : tensors) {
    if (tensor.is_complex())
      wide.push_back(tensor.to(at::kComplexDouble));
    else
      wide.push_back(tensor.is_floating_point() ? tensor.to(at::kDouble) : tensor);
  }
  return wide;
}

}  // namespace ridgeline::verifier
