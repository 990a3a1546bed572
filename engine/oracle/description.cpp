#include "engine/oracle/description.hpp"

#include <algorithm>

#include "engine/core/json_fields.hpp"

namespace ridgeline::oracle {
namespace {

Provenance provenance(const nlohmann::json& in) {
  const auto kind = in.at("kind").get<std::string>();
  if (kind == "uniform") return Uniform{in.at("low"), in.at("high")};
  if (kind == "normal") return Normal{in.at("mean"), in.at("std")};
  if (kind == "integers")
    return Integers{read_json<std::int64_t>(in.at("low")), read_json<std::int64_t>(in.at("high"))};
  if (kind == "constant") return Constant{number_from_json(in, "value")};
  return Opaque{};
}

TensorFact tensor_fact(const nlohmann::json& in) {
  TensorFact fact{in.at("name"), in.at("dtype").get<DType>(),
                  read_json<std::vector<std::int64_t>>(in.at("shape"))};
  if (const auto made = in.find("made"); made != in.end()) fact.provenance = provenance(*made);
  return fact;
}

/// Python counts without end. As many bytes as this nobody has, and sums of a few such counts do not
/// overflow.
std::uint64_t count_of(const nlohmann::json& in) {
  constexpr auto most = std::uint64_t{1} << 60;
  if (in.is_number_float() && in.get<double>() >= static_cast<double>(most)) return most;
  return std::min(read_json<std::uint64_t>(in), most);
}

/// Keeps the value as text: it goes back to Python as it is, and C++ need not know its structure.
std::string text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Only a value that is no tensor has the key `value`.
Input input(const nlohmann::json& in) {
  if (const auto value = in.find("value"); value != in.end())
    return PlainInput{in.at("name"), text_of(*value)};
  return tensor_fact(in);
}

}  // namespace

std::uint64_t byte_count(const TensorFact& tensor) {
  std::uint64_t bytes = size_of(tensor.dtype);
  for (const auto extent : tensor.shape) bytes *= static_cast<std::uint64_t>(extent);
  return bytes;
}

void from_json(const nlohmann::json& in, Description& out) {
  out.init_arguments = text_of(in.at("init").at("arguments"));
  out.init_named = text_of(in.at("init").at("named"));
  for (const auto& tensor : in.at("state"))
    out.state.push_back({tensor.at("kind").get<StateKind>(), tensor_fact(tensor)});
  for (const auto& argument : in.at("inputs")) out.inputs.push_back(input(argument));
  for (const auto& tensor : in.at("outputs")) out.outputs.push_back(tensor_fact(tensor));
  in.at("training").get_to(out.training);
  const auto& bytes = in.at("bytes");
  out.bytes.state = count_of(bytes.at("state"));
  out.bytes.inputs = count_of(bytes.at("inputs"));
  out.bytes.outputs = count_of(bytes.at("outputs"));
  out.bytes.forward = count_of(bytes.at("forward"));
  out.operations = count_of(in.at("operations"));
  out.longest_sum = count_of(in.at("longest_sum"));
  out.all_sums = count_of(in.at("all_sums"));
  out.ran = in.at("found_by") == "run";
  out.available = count_of(in.at("available"));
}

std::vector<TensorFact> tensors_of(const std::vector<Input>& inputs) {
  std::vector<TensorFact> tensors;
  for (const auto& input : inputs)
    if (const auto* tensor = std::get_if<TensorFact>(&input)) tensors.push_back(*tensor);
  return tensors;
}

}  // namespace ridgeline::oracle
