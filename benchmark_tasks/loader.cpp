#include "benchmark_tasks/loader.hpp"

#include <fmt/format.h>

#include "benchmark_tasks/categories.hpp"
#include "benchmark_tasks/reading.hpp"
#include "engine/yaml/nearest.hpp"

namespace ridgeline::benchmark_tasks {
namespace {

using reading::expression;

std::string read_category(yaml::MapReader& map) {
  const auto node = map.demand("category");
  const auto name = node.as<std::string>();
  for (const auto& category : categories())
    if (category == name) return name;
  node.fail(fmt::format("'{}' is no category{}", name, yaml::did_you_mean(name, categories())));
}

/// Looks for the function by its text alone: only the judge, which has LibTorch, compiles it.
std::string read_script(yaml::MapReader& map, const std::string& key,
                        const std::string& function = "reference") {
  const auto node = map.demand(key);
  auto text = node.as<std::string>();
  if (text.find("def " + function + "(") == std::string::npos)
    node.fail(fmt::format("'{}' must be TorchScript text that defines 'def {}(...)'", key, function));
  return text;
}

Statistical read_statistical(yaml::MapReader& map) {
  return {map.optional<double>("p_value", Statistical{}.p_value, yaml::in_range(1e-15, 0.1))};
}

ByCheck read_checked(yaml::MapReader& map) {
  ByCheck checked;
  checked.check = read_script(map, "check", "check");
  checked.names = map.required<std::vector<std::string>>("names");
  return checked;
}

Contract read_contract(yaml::MapReader map) {
  const auto kind = map.demand("kind");
  const auto name = kind.as<std::string>();
  // In a lambda, so that the map is finished in one place: a key of another contract is refused.
  const auto contract = [&]() -> Contract {
    if (name == "elementwise") {
      Elementwise elementwise;
      elementwise.reduction = expression(map, "reduction", elementwise.reduction);
      // A slack below 1 would refuse kernels that the derivation calls honest.
      elementwise.slack = map.optional<double>("slack", 1, yaml::in_range(1, 1000));
      elementwise.intermediate = map.optional<double>("intermediate", 0, yaml::in_range(0, 1e6));
      elementwise.lower_precision_allowed = map.optional<bool>("lower_precision_allowed", false);
      return elementwise;
    }
    if (name == "exact") return Exact{};
    if (name == "quantized") {
      Quantized quantized;
      quantized.reduction = expression(map, "reduction", quantized.reduction);
      quantized.step_fraction =
          map.optional<double>("step_fraction", quantized.step_fraction, yaml::in_range(0, 1));
      quantized.unquantized = read_script(map, "unquantized");
      return quantized;
    }
    if (name == "statistical") return read_statistical(map);
    if (name == "checked") return read_checked(map);
    if (name == "up_to_sign") {
      UpToSign up_to_sign;
      up_to_sign.reduction = expression(map, "reduction", up_to_sign.reduction);
      up_to_sign.axis = map.optional<int>("axis", -1, yaml::in_range(-8, 7));
      up_to_sign.factors = map.optional("factors", up_to_sign.factors);
      return up_to_sign;
    }
    const std::vector<std::string> known{"elementwise", "exact",      "quantized",
                                         "statistical", "up_to_sign", "checked"};
    kind.fail(fmt::format("'{}' is no contract{}", name, yaml::did_you_mean(name, known)));
  }();
  map.finish();
  return contract;
}

Choice read_choice(yaml::MapReader map) {
  Choice choice;
  choice.outputs = map.required<std::vector<std::string>>("outputs");
  choice.choose = read_script(map, "choose", "choose");
  auto contract = map.demand("contract").map();
  const auto kind = contract.demand("kind");
  const auto name = kind.as<std::string>();
  const std::vector<std::string> known{"statistical", "checked"};
  if (name == "statistical")
    choice.contract = read_statistical(contract);
  else if (name == "checked")
    choice.contract = read_checked(contract);
  else
    kind.fail(fmt::format("'{}' is no contract of a choice{}", name, yaml::did_you_mean(name, known)));
  contract.finish();
  map.finish();
  return choice;
}

Task read_task(const yaml::Document& document) {
  auto map = document.root().map("the task");
  Task task;
  task.name = reading::identifier(map.demand("name"));
  task.category = read_category(map);
  task.difficulty = map.required<int>("difficulty", yaml::in_range(1, 5));
  task.description = map.required<std::string>("description");
  task.formula = map.required<std::string>("formula");
  for (const auto& node : map.required<std::vector<yaml::Node>>("sizes"))
    task.sizes.push_back(reading::identifier(node));
  for (const auto& node : map.required<std::vector<yaml::Node>>("parameters"))
    task.parameters.push_back(reading::parameter(node.map()));
  for (const auto& node : map.required<std::vector<yaml::Node>>("cases"))
    task.cases.push_back(reading::task_case(node.map(), task.sizes));
  task.reference = read_script(map, "reference");
  if (auto contract = map.optional_map("contract")) task.contract = read_contract(std::move(*contract));
  if (auto choice = map.optional_map("choice")) task.choice = read_choice(std::move(*choice));
  task.deterministic = map.optional<bool>("deterministic", false);
  task.operations = expression(map, "operations");
  task.bytes = expression(map, "bytes");
  task.notes = map.optional<std::string>("notes", "");
  map.finish();
  // After every part is read, so that a misspelt key is named before what follows from its absence.
  reading::validate(task, map);
  task.hash = hash_of(task);
  return task;
}

}  // namespace

Task load_task(const std::filesystem::path& path) {
  return read_task(yaml::Document::from_file(path));
}

Task parse_task(const std::string& text, const std::string& name) {
  return read_task(yaml::Document::from_text(text, name));
}

}  // namespace ridgeline::benchmark_tasks
