#include "engine/core/codec.hpp"
#include "engine/core/json_fields.hpp"

namespace nlohmann {
template <>
struct adl_serializer<ridgeline::Expression> {
  static void to_json(json& out, const ridgeline::Expression& value) { out = value.text(); }
  static void from_json(const json& in, ridgeline::Expression& value) {
    value = ridgeline::Expression::parse(in.get<std::string>());
  }
};
}  // namespace nlohmann

namespace ridgeline {

using nlohmann::json;

RIDGELINE_FIELDS(Distribution, draw, low, high, outliers)
RIDGELINE_FIELDS(Scalar, name, type, value)
RIDGELINE_FIELDS(Case, name, sizes, timed, hidden, final, backend)
RIDGELINE_FIELDS(Elementwise, reduction, slack, lower_precision_allowed, intermediate)
RIDGELINE_FIELDS(Quantized, reduction, step_fraction, unquantized)
RIDGELINE_FIELDS(Statistical, p_value)

// A task's hash is over this JSON. Fields that only modules have are left out of other tasks, so that adding
// them did not change the hashes of tasks that stores already hold.
void to_json(json& out, const Module& module);
void from_json(const json& in, Module& module);
void to_json(json& out, const Module& module) {
  out = json{{"file", module.file},
             {"init_arguments", module.init_arguments},
             {"init_named", module.init_named},
             {"training", module.training}};
  if (module.cast_to) out["cast_to"] = *module.cast_to;
  if (!module.scale.empty()) out["scale"] = module.scale;
  if (module.function.empty()) return;
  out["function"] = module.function;
  out["adapter"] = module.adapter;
}
void from_json(const json& in, Module& module) {
  const Module unset;
  in.at("file").get_to(module.file);
  in.at("init_arguments").get_to(module.init_arguments);
  in.at("init_named").get_to(module.init_named);
  in.at("training").get_to(module.training);
  module.function = in.value("function", unset.function);
  module.adapter = in.value("adapter", unset.adapter);
  module.cast_to.reset();
  if (const auto cast_to = in.find("cast_to"); cast_to != in.end()) module.cast_to = cast_to->get<DType>();
  module.scale = in.value("scale", unset.scale);
}
void to_json(json& out, const Tensor& tensor);
void from_json(const json& in, Tensor& tensor);
void to_json(json& out, const Tensor& tensor) {
  out = json{{"name", tensor.name},   {"dtype", tensor.dtype}, {"role", tensor.role},
             {"shape", tensor.shape}, {"input", tensor.input}, {"count", tensor.count}};
  if (tensor.state.empty()) return;
  out["state"] = tensor.state;
  out["state_kind"] = tensor.state_kind;
}
void from_json(const json& in, Tensor& tensor) {
  const Tensor unset;
  tensor.name = in.value("name", unset.name);
  tensor.dtype = in.value("dtype", unset.dtype);
  tensor.role = in.value("role", unset.role);
  tensor.shape = in.value("shape", unset.shape);
  tensor.input = in.value("input", unset.input);
  tensor.count = in.value("count", unset.count);
  tensor.state = in.value("state", unset.state);
  tensor.state_kind = in.value("state_kind", unset.state_kind);
}

// As above: without factors, the hash is that of tasks from before there were any.
void to_json(json& out, const UpToSign& contract);
void from_json(const json& in, UpToSign& contract);
void to_json(json& out, const UpToSign& contract) {
  out = json{{"reduction", contract.reduction}, {"axis", contract.axis}};
  if (!contract.factors.empty()) out["factors"] = contract.factors;
}
void from_json(const json& in, UpToSign& contract) {
  const UpToSign unset;
  contract.reduction = in.value("reduction", unset.reduction);
  contract.axis = read_json(in, "axis", unset.axis);
  contract.factors = in.value("factors", unset.factors);
}

RIDGELINE_FIELDS(ByCheck, check, names)

void to_json(json& out, const Exact&);  // looked up by ADL, so not in the unnamed namespace below
void from_json(const json&, Exact&);
void to_json(json& out, const Exact&) {
  out = json::object();
}
void from_json(const json&, Exact&) {}

namespace {

/// A variant is written as {"kind": name, ...fields}; `names` are in the order of the alternatives.
template <class Variant, std::size_t N>
json variant_to_json(const Variant& value, const std::array<const char*, N>& names) {
  static_assert(N == std::variant_size_v<Variant>);
  json out = std::visit([](const auto& alternative) { return json(alternative); }, value);
  out["kind"] = names[value.index()];
  return out;
}

template <class Variant, std::size_t I = 0, std::size_t N>
Variant variant_from_json(const json& in, const std::array<const char*, N>& names) {
  if constexpr (I == N) {
    throw Error("unknown kind '" + in.at("kind").get<std::string>() + "'");
  } else {
    if (in.at("kind") == names[I]) {
      std::variant_alternative_t<I, Variant> alternative;
      from_json(in, alternative);
      return alternative;
    }
    return variant_from_json<Variant, I + 1>(in, names);
  }
}

constexpr std::array parameter_kinds{"tensor", "scalar"};
constexpr std::array contract_kinds{"elementwise", "exact",      "quantized",
                                    "statistical", "up_to_sign", "checked"};
constexpr std::array choice_contract_kinds{"statistical", "checked"};

}  // namespace

void to_json(json& out, const Choice& choice);
void from_json(const json& in, Choice& choice);
void to_json(json& out, const Choice& choice) {
  out = json{{"outputs", choice.outputs},
             {"choose", choice.choose},
             {"contract", variant_to_json(choice.contract, choice_contract_kinds)}};
}
void from_json(const json& in, Choice& choice) {
  in.at("outputs").get_to(choice.outputs);
  in.at("choose").get_to(choice.choose);
  choice.contract = variant_from_json<decltype(Choice::contract)>(in.at("contract"), choice_contract_kinds);
}

void to_json(json& out, const Task& task) {
  out = json{{"name", task.name},
             {"category", task.category},
             {"difficulty", task.difficulty},
             {"description", task.description},
             {"formula", task.formula},
             {"sizes", task.sizes},
             {"cases", task.cases},
             {"reference", task.reference},
             {"contract", variant_to_json(task.contract, contract_kinds)},
             {"deterministic", task.deterministic},
             {"operations", task.operations},
             {"bytes", task.bytes},
             {"notes", task.notes},
             {"hash", task.hash}};
  if (task.module) out["module"] = *task.module;
  if (task.choice) out["choice"] = *task.choice;  // left out of others: their hashes are in stores
  auto& parameters = out["parameters"] = json::array();
  for (const auto& parameter : task.parameters)
    parameters.push_back(variant_to_json(parameter, parameter_kinds));
}

void from_json(const json& in, Task& task) {
  in.at("name").get_to(task.name);
  in.at("category").get_to(task.category);
  read_json(in.at("difficulty"), task.difficulty);
  in.at("description").get_to(task.description);
  in.at("formula").get_to(task.formula);
  in.at("sizes").get_to(task.sizes);
  in.at("cases").get_to(task.cases);
  in.at("reference").get_to(task.reference);
  task.contract = variant_from_json<Contract>(in.at("contract"), contract_kinds);
  in.at("deterministic").get_to(task.deterministic);
  in.at("operations").get_to(task.operations);
  in.at("bytes").get_to(task.bytes);
  in.at("notes").get_to(task.notes);
  task.hash = in.value("hash", "");
  // The target may be a task that was read before: its module, choice and parameters must not survive.
  task.module.reset();
  if (const auto module = in.find("module"); module != in.end()) task.module = module->get<Module>();
  task.choice.reset();
  if (const auto choice = in.find("choice"); choice != in.end()) task.choice = choice->get<Choice>();
  task.parameters.clear();
  for (const auto& parameter : in.at("parameters"))
    task.parameters.push_back(variant_from_json<Parameter>(parameter, parameter_kinds));
}

}  // namespace ridgeline
