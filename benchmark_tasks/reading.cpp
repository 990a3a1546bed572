#include "benchmark_tasks/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "benchmark_tasks/argument_names.hpp"
#include "engine/core/error.hpp"
#include "engine/yaml/nearest.hpp"

namespace ridgeline::benchmark_tasks::reading {
namespace {

/// The keys of a draw's two numbers in task files; "" for a number that it does not take.
struct DrawKeys {
  const char* low;
  const char* high;
};
DrawKeys keys_of(Draw draw) {
  switch (draw) {
    case Draw::normal:
      return {"mean", "deviation"};
    case Draw::uniform:
    case Draw::sorted:
      return {"low", "high"};
    case Draw::constant:
      return {"value", ""};
    case Draw::bernoulli:
      return {"", "probability"};
    case Draw::permutation:
    case Draw::probabilities:
    case Draw::positive_definite:
    case Draw::symmetric:
    case Draw::well_conditioned:
    case Draw::reference:
      break;
  }
  return {"", ""};
}

Distribution distribution(yaml::MapReader map) {
  Distribution result;
  result.draw = map.required<Draw>("draw");
  if (result.draw == Draw::reference)
    map.demand("draw").fail(
        "only a reference that is a torch module draws its own inputs; name another draw");
  const auto keys = keys_of(result.draw);
  // Only the normal draw is the same for most tasks; the others have no bounds that would suit by default.
  const bool has_default = result.draw == Draw::normal;
  for (const auto& [key, target] : {std::pair{keys.low, &result.low}, std::pair{keys.high, &result.high}})
    if (*key != '\0') *target = has_default ? expression(map, key, *target) : expression(map, key);
  result.outliers = map.optional<bool>("outliers", true);
  map.finish();
  return result;
}

Tensor tensor(yaml::MapReader& map) {
  Tensor result;
  result.name = identifier(map.demand("tensor"));
  result.dtype = map.required<DType>("dtype");
  result.role = map.required<Role>("role");
  for (const auto& extent : map.required<std::vector<yaml::Node>>("shape"))
    result.shape.push_back(expression(extent));
  // A key that has no effect is an error, so that nobody relies on it.
  if (result.role == Role::out) {
    result.count = map.optional<std::string>("count", "");
    if (const auto input = map.find("input")) input->fail("an output has no input distribution");
  } else {
    if (auto input = map.optional_map("input")) result.input = distribution(std::move(*input));
    if (const auto count = map.find("count")) count->fail("only an output (role out) can have a count");
  }
  map.finish();
  return result;
}

Scalar scalar(yaml::MapReader& map) {
  Scalar result;
  result.name = identifier(map.demand("scalar"));
  result.type = map.required<ScalarType>("type");
  result.value = expression(map, "value");
  map.finish();
  return result;
}

}  // namespace

std::string identifier(const yaml::Node& node) {
  auto text = node.as<std::string>();
  // It becomes an argument of a C function and a parameter of a Python one.
  if (!is_identifier(text))
    node.fail(
        fmt::format("'{}' is no C identifier; use letters, digits and _, and begin with a letter", text));
  if (is_reserved(text))
    node.fail(fmt::format("'{}' is a word of the language, or an argument's name; use another", text));
  return text;
}

Expression expression(const yaml::Node& node) {
  const auto text = node.as<std::string>();
  try {  // the parser knows the character, the node the file and the line
    return Expression::parse(text);
  } catch (const BadInput& error) {
    node.fail(error.what());
  }
}

Expression expression(yaml::MapReader& map, const std::string& key) {
  return expression(map.demand(key));
}

Expression expression(yaml::MapReader& map, const std::string& key, Expression otherwise) {
  const auto node = map.find(key);
  return node ? expression(*node) : std::move(otherwise);
}

Parameter parameter(yaml::MapReader map) {
  if (map.has("tensor") == map.has("scalar"))
    map.fail("a parameter is named by one of the keys 'tensor' and 'scalar'");
  if (map.has("tensor")) return tensor(map);
  return scalar(map);
}

Case task_case(yaml::MapReader map, const std::vector<std::string>& sizes) {
  Case result;
  result.name = map.required<std::string>("name");
  auto values = map.demand("sizes").map(fmt::format("the sizes of case '{}'", result.name));
  for (const auto& symbol : sizes)
    result.sizes[symbol] = values.required<std::int64_t>(symbol, yaml::in_range(0, 1e9));
  values.finish();
  result.timed = map.optional<bool>("timed", false);
  result.hidden = map.optional<bool>("hidden", false);
  result.final = map.optional<bool>("final", false);
  result.backend = map.optional<std::string>("backend", "");
  if (!result.backend.empty() && result.backend != "cpu" && result.backend != "cuda")
    map.demand("backend").fail(
        "a case's backend is cpu or cuda; leave the key out for a case of every backend");
  map.finish();
  // Final cases judge the winner once, for reports. Timed or gating, they would be learned from.
  if (result.final && (result.timed || result.hidden))
    map.fail(fmt::format("case '{}' is final, which is for reports alone; it cannot be timed or hidden",
                         result.name));
  return result;
}

}  // namespace ridgeline::benchmark_tasks::reading
