#include "engine/suites/modules/native_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "benchmark_tasks/argument_names.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::suites::modules {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTensors = 1536;  // that the runner's protocol passes with one call

Expression number(double value) {
  return Expression::parse(fmt::format("{}", value));
}

/// Puts the oracle's word on how an input was made into a draw of the judge's.
struct DrawOf {
  static Distribution made(Draw draw, double low, double high) {
    return {draw, number(low), number(high), true};
  }
  Distribution operator()(const oracle::Uniform& range) const {
    return made(Draw::uniform, range.low, range.high);
  }
  Distribution operator()(const oracle::Normal& normal) const {
    return made(Draw::normal, normal.mean, normal.std);
  }
  Distribution operator()(const oracle::Integers& range) const {
    return made(Draw::uniform, static_cast<double>(range.low), static_cast<double>(range.high));
  }
  Distribution operator()(const oracle::Constant& constant) const {
    return std::isfinite(constant.value) ? made(Draw::constant, constant.value, 0)
                                         : (*this)(oracle::Opaque{});
  }
  // Values that only the file's code can make have no variants with outliers either.
  Distribution operator()(const oracle::Opaque&) const {
    auto drawn = made(Draw::reference, 0, 1);
    drawn.outliers = false;
    return drawn;
  }
};

/// Adds parameters under names that are unique and usable in C++ and Python.
class Maker {
 public:
  Maker(const TaskNames& names, Task& task) : task_names_(names), task_(task) {}

  void add(const oracle::TensorFact& fact, Role role, Distribution input, const std::string& state = {},
           StateKind kind = StateKind::parameter) {
    Tensor tensor;
    tensor.name = unique(benchmark_tasks::usable_name(fact.name));
    tensor.dtype = fact.dtype;
    tensor.role = role;
    for (const auto extent : fact.shape) tensor.shape.push_back(number(static_cast<double>(extent)));
    tensor.input = std::move(input);
    tensor.state = state;
    tensor.state_kind = kind;
    task_.parameters.emplace_back(std::move(tensor));
  }

  void add(const oracle::PlainInput& plain) {
    const auto value = json::parse(plain.value);
    Scalar scalar;
    scalar.name = unique(benchmark_tasks::usable_name(plain.name));
    if (value.is_boolean())
      scalar.type = ScalarType::boolean;
    else if (value.is_number_integer())
      scalar.type = ScalarType::int64;
    else if (!value.is_number())
      throw BadInput(fmt::format(
          "{}: forward's argument '{}' is {}, and only tensors and numbers can be given to a kernel",
          task_names_.file, plain.name, plain.value));
    scalar.value = number(value.is_boolean() ? value.get<bool>() : value.get<double>());
    task_.parameters.emplace_back(std::move(scalar));
  }

 private:
  std::string unique(std::string name) {
    while (!names_.insert(name).second) name += '_';
    return name;
  }

  const TaskNames& task_names_;
  Task& task_;
  std::set<std::string> names_;
};

std::int64_t elements(const std::vector<oracle::TensorFact>& tensors) {
  std::int64_t sum = 0;
  for (const auto& tensor : tensors) {
    std::int64_t count = 1;
    for (const auto extent : tensor.shape) count *= extent;
    sum += count;
  }
  return sum;
}

}  // namespace

double assumed_reduction(const oracle::Description& description) {
  const double outputs = std::max<double>(1, static_cast<double>(elements(description.outputs)));
  const double inputs = static_cast<double>(elements(oracle::tensors_of(description.inputs)));
  const double operations = std::ceil(description.operations / (2 * outputs));
  return std::max({static_cast<double>(description.longest_sum), std::ceil(inputs / outputs),
                   std::min(operations, static_cast<double>(description.all_sums))});
}

Task native_task(const TaskNames& names, oracle::TaskText file, const oracle::Description& description,
                 std::string_view backend) {
  Task task;
  task.name = names.identifier;
  task.category = names.category;
  task.difficulty = names.difficulty;
  task.description = names.description;
  task.reference = std::move(file.text);
  if (description.init_arguments.find("{\"tensor\":") != std::string::npos ||
      description.init_named.find("{\"tensor\":") != std::string::npos)
    throw BadInput(names.file + ": the constructor takes a tensor, which no candidate's can be given");
  task.module = Module{names.file, description.init_arguments, description.init_named, description.training};
  task.module->cast_to = file.cast_to;
  task.module->scale = names.scale;
  Maker maker(names, task);
  for (const auto& input : description.inputs) {
    if (const auto* plain = std::get_if<oracle::PlainInput>(&input))
      maker.add(*plain);
    else if (const auto& fact = std::get<oracle::TensorFact>(input); true)
      maker.add(fact, Role::in, std::visit(DrawOf{}, fact.provenance));
  }
  for (const auto& [kind, tensor] : description.state)
    maker.add(tensor, Role::in, DrawOf{}(oracle::Opaque{}), tensor.name, kind);
  for (auto output : description.outputs) {
    // The oracle numbers outputs; a single one reads better without a number.
    if (description.outputs.size() == 1) output.name = "output";
    maker.add(output, Role::out, {});
  }
  // Refused here with the file's name, rather than by a runner with a number.
  if (task.tensors().size() > kMostTensors)
    throw BadInput(fmt::format("{}: {} tensors, weights among them; a call takes {} at the most", names.file,
                               task.tensors().size(), kMostTensors));
  Case published;
  published.name = "published";
  published.timed = true;  // the suite has one size a task, which is both gate and score
  published.backend = backend;
  task.cases = {published};
  Elementwise contract;
  contract.reduction = number(assumed_reduction(description));
  task.contract = contract;
  const auto& bytes = description.bytes;
  task.bytes = number(static_cast<double>(bytes.inputs + bytes.state + bytes.outputs));
  task.operations = number(description.operations);
  task.hash = hash_of(task);
  return task;
}

}  // namespace ridgeline::suites::modules
