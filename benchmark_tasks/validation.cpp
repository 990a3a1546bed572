// Checks that need several parts of a task file together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "benchmark_tasks/reading.hpp"
#include "engine/core/error.hpp"
#include "engine/yaml/nearest.hpp"

namespace ridgeline::benchmark_tasks::reading {
namespace {

/// Return nodes of the file by key and index. They exist, since the file was read.
yaml::Node node_of(const yaml::MapReader& map, const std::string& key) {
  return yaml::Node(map.node().tree()->find(key)->value, key);
}
yaml::Node item_of(const yaml::MapReader& map, const std::string& key, std::size_t index) {
  return node_of(map, key).list().at(index);
}

void check_names(const Task& task, const yaml::MapReader& map) {
  std::set<std::string> names(task.sizes.begin(), task.sizes.end());
  // Sizes, tensors and scalars are arguments of one function, so they share one set of names.
  if (names.size() != task.sizes.size()) node_of(map, "sizes").fail("a size is named twice");
  for (std::size_t i = 0; i < task.parameters.size(); ++i) {
    const auto& name =
        std::visit([](const auto& p) -> const std::string& { return p.name; }, task.parameters[i]);
    if (!names.insert(name).second)
      item_of(map, "parameters", i)
          .fail(fmt::format("the name '{}' is already taken by a size or a parameter", name));
  }
  std::set<std::string> cases;
  for (std::size_t i = 0; i < task.cases.size(); ++i)
    if (!cases.insert(task.cases[i].name).second)
      item_of(map, "cases", i).fail(fmt::format("there is another case '{}'", task.cases[i].name));
}

/// An unknown symbol would otherwise show only when a judge evaluates it, without a place in the file.
void check_symbols(const Task& task, const Expression& expression, const yaml::Node& place) {
  for (const auto& symbol : expression.symbols())
    if (std::find(task.sizes.begin(), task.sizes.end(), symbol) == task.sizes.end())
      place.fail(fmt::format("'{}' uses '{}', which is none of the task's sizes{}", expression.text(), symbol,
                             yaml::did_you_mean(symbol, task.sizes)));
}

void check_expressions(const Task& task, const yaml::MapReader& map) {
  for (std::size_t i = 0; i < task.parameters.size(); ++i) {
    const auto place = item_of(map, "parameters", i);
    if (const auto* scalar = std::get_if<Scalar>(&task.parameters[i])) {
      check_symbols(task, scalar->value, place);
      continue;
    }
    const auto& tensor = std::get<Tensor>(task.parameters[i]);
    for (const auto& extent : tensor.shape) check_symbols(task, extent, place);
    check_symbols(task, tensor.input.low, place);
    check_symbols(task, tensor.input.high, place);
  }
  check_symbols(task, task.operations, node_of(map, "operations"));
  check_symbols(task, task.bytes, node_of(map, "bytes"));
  std::visit(
      [&](const auto& contract) {
        if constexpr (requires { contract.reduction; })
          check_symbols(task, contract.reduction,
                        map.has("contract") ? node_of(map, "contract") : map.node());
      },
      task.contract);
}

/// A count is read by the judge as one int64, before any row of the output is compared.
void check_counts(const Task& task, const yaml::MapReader& map) {
  for (std::size_t i = 0; i < task.parameters.size(); ++i) {
    const auto* tensor = std::get_if<Tensor>(&task.parameters[i]);
    if (!tensor || tensor->count.empty()) continue;
    const auto place = item_of(map, "parameters", i);
    const Tensor* count = nullptr;
    std::vector<std::string> outputs;
    for (const auto* other : task.tensors()) {
      if (other->role == Role::out && other != tensor) outputs.push_back(other->name);
      if (other->name == tensor->count) count = other;
    }
    if (!count)
      place.fail(fmt::format("the count '{}' is no parameter{}", tensor->count,
                             yaml::did_you_mean(tensor->count, outputs)));
    const bool fits = count->role == Role::out && count->dtype == DType::int64 && count->shape.size() == 1 &&
                      count->shape[0].text() == "1";
    if (!fits)
      place.fail(
          fmt::format("the count '{}' must be an int64 tensor of role out and shape [1]", count->name));
    if (tensor->shape.empty()) place.fail("an output with a count needs a first axis: its capacity in rows");
  }
}

/// Signs are free along an axis of a matrix, so a factor has two axes.
void check_factors(const Task& task, const yaml::MapReader& map) {
  const auto* contract = std::get_if<UpToSign>(&task.contract);
  if (!contract) return;
  std::vector<std::string> possible;
  for (const auto* tensor : task.tensors())
    if (tensor->role != Role::in && tensor->shape.size() >= 2 && is_floating_or_complex(tensor->dtype))
      possible.push_back(tensor->name);
  for (const auto& name : contract->factors)
    if (std::ranges::find(possible, name) == possible.end())
      node_of(map, "contract")
          .fail(fmt::format("the factor '{}' is no floating or complex output of two or more axes{}", name,
                            yaml::did_you_mean(name, possible)));
}

/// A check gets each tensor once: of an inout it could see but one of two values.
void check_tensors_of_a_check(const Task& task, const yaml::MapReader& map) {
  const auto* checked = std::get_if<ByCheck>(&task.contract);
  const char* key = "contract";
  if (task.choice && !checked) {
    checked = std::get_if<ByCheck>(&task.choice->contract);
    key = "choice";
  }
  if (!checked) return;
  for (const auto* tensor : task.tensors())
    if (tensor->role == Role::inout || !tensor->count.empty())
      node_of(map, key).fail(
          fmt::format("a check cannot see '{}': give it the role in or out, and a fixed size", tensor->name));
  if (checked->names.empty()) node_of(map, key).fail("'names' must name what the check returns");
}

/// A choice is judged apart from the other outputs, so there must be others, and signs that are free would
/// tie the two together.
void check_choice(const Task& task, const yaml::MapReader& map) {
  if (!task.choice) return;
  const auto place = node_of(map, "choice");
  std::vector<std::string> possible;
  std::size_t outputs = 0;
  for (const auto* tensor : task.tensors()) {
    outputs += tensor->role != Role::in;
    const bool is_count = std::ranges::any_of(
        task.tensors(), [&](const Tensor* other) { return other->count == tensor->name; });
    if (tensor->role == Role::out && tensor->count.empty() && !is_count) possible.push_back(tensor->name);
  }
  for (const auto& name : task.choice->outputs)
    if (std::ranges::find(possible, name) == possible.end())
      place.fail(fmt::format("'{}' is no tensor of role out with a fixed size{}", name,
                             yaml::did_you_mean(name, possible)));
  const std::set<std::string> chosen(task.choice->outputs.begin(), task.choice->outputs.end());
  if (chosen.empty() || chosen.size() != task.choice->outputs.size() || chosen.size() == outputs)
    place.fail(
        "'outputs' must name some of the outputs, each once, and leave at least one to the reference; if all "
        "are chosen, give the task the contract {kind: checked} or {kind: statistical}");
  if (!std::holds_alternative<Elementwise>(task.contract) && !std::holds_alternative<Exact>(task.contract))
    place.fail("beside a choice, the contract of the other outputs must be elementwise or exact");
}

/// Each backend needs a case of every kind: a score, a gate and a report.
void check_cases(const Task& task, const yaml::MapReader& map) {
  const auto cases = node_of(map, "cases");
  for (const char* backend : {"cpu", "cuda"}) {
    const auto seen = on_backend(task, backend).cases;
    const auto lacks = [&](bool Case::* flag) { return std::ranges::none_of(seen, flag); };
    if (lacks(&Case::timed))
      cases.fail(
          fmt::format("no case is timed on {}; mark at least one 'timed: true', since the speed-up is over "
                      "timed cases",
                      backend));
    if (lacks(&Case::hidden))
      cases.fail(
          fmt::format("no case is hidden on {}; mark at least one 'hidden: true', so that shapes cannot be "
                      "hard-coded",
                      backend));
    if (lacks(&Case::final))
      cases.fail(
          fmt::format("no case is final on {}; mark at least one 'final: true', for reports on an unseen "
                      "shape",
                      backend));
  }
}

/// Bytes. A judge holds several copies of a case's tensors, and no machine has that much memory.
constexpr double largest_case = 0x1p40;

/// In floating point: a product of extents overflows 64 bits before it can be refused.
double bytes_of(const Tensor& tensor, const Symbols& sizes) {
  double bytes = static_cast<double>(size_of(tensor.dtype));
  for (const auto extent : shape_of(tensor, sizes)) bytes *= static_cast<double>(extent);
  return bytes;
}

/// Bounds beyond 2^53 are no integers as doubles, and draws of integers would miss values.
void check_range(const Tensor& tensor, const Symbols& sizes) {
  for (const auto* bound : {&tensor.input.low, &tensor.input.high})
    if (const double value = bound->evaluate(sizes); !(std::fabs(value) <= 0x1p53))
      throw BadInput(fmt::format("the input of '{}' is drawn by '{}', which is {}; give a number",
                                 tensor.name, bound->text(), value));
}

/// Evaluates everything that a judge will evaluate, so that it cannot fail there.
void check_values(const Task& task, const yaml::MapReader& map) {
  for (std::size_t i = 0; i < task.cases.size(); ++i) {
    const auto& sizes = task.cases[i].sizes;
    const auto place = item_of(map, "cases", i);
    try {
      double bytes = 0;
      for (const auto* tensor : task.tensors()) {
        bytes += bytes_of(*tensor, sizes);
        check_range(*tensor, sizes);
      }
      if (bytes > largest_case)
        throw BadInput(fmt::format("its tensors have {:.3g} TB, and no machine has that: give smaller sizes",
                                   bytes * 1e-12));
      for (const auto* scalar : task.scalars()) {
        const double value = scalar->value.evaluate(sizes);
        if (scalar->type == ScalarType::int64 && !(std::fabs(value) <= 0x1p53 && value == std::floor(value)))
          throw BadInput(
              fmt::format("the scalar '{}' is an int64, and its value is {}", scalar->name, value));
        if (scalar->type == ScalarType::boolean && value != 0 && value != 1)
          throw BadInput(fmt::format("the scalar '{}' is a bool, and its value {} is neither 0 nor 1",
                                     scalar->name, value));
      }
      if (const double value = task.operations.evaluate(sizes); !(value >= 0 && std::isfinite(value)))
        throw BadInput(fmt::format("'operations' is {}; a call has 0 or more", value));
      if (const double value = task.bytes.evaluate(sizes); !(value > 0 && std::isfinite(value)))
        throw BadInput(fmt::format("'bytes' is {}; a call reads and writes some", value));
    } catch (const BadInput& error) {
      place.fail(fmt::format("in the case '{}': {}", task.cases[i].name, error.what()));
    }
  }
}

}  // namespace

void validate(const Task& task, const yaml::MapReader& map) {
  const auto tensors = task.tensors();
  if (std::none_of(tensors.begin(), tensors.end(), [](const Tensor* t) { return t->role != Role::in; }))
    node_of(map, "parameters").fail("no tensor has the role out or inout; a kernel must write something");
  check_names(task, map);
  check_expressions(task, map);
  check_counts(task, map);
  check_factors(task, map);
  check_tensors_of_a_check(task, map);
  check_choice(task, map);
  check_cases(task, map);
  check_values(task, map);
}

}  // namespace ridgeline::benchmark_tasks::reading
