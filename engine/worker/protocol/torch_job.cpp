#include "engine/worker/protocol/torch_job.hpp"

#include <utility>

#include "engine/core/json_fields.hpp"
#include "engine/core/signature.hpp"

namespace ridgeline::protocol {
namespace {

using nlohmann::json;

json parsed(const std::string& text, const char* what) {
  auto value = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) throw BadInput(std::string("a torch job's ") + what + " is no JSON: " + text);
  return value;
}

json field_of(const TorchTensor& tensor) {
  json out = {{"name", tensor.name},   {"role", tensor.role},   {"dtype", tensor.dtype},
              {"shape", tensor.shape}, {"state", tensor.state}, {"kind", tensor.kind}};
  // In a kernel's job the shapes depend on the case, so they are expressions.
  if (!tensor.extents.empty()) out["shape"] = tensor.extents;
  if (tensor.argument) out["argument"] = *tensor.argument;
  if (tensor.offset > 0) out["offset"] = tensor.offset;
  return out;
}

json field_of(const ForwardArgument& argument) {
  if (const auto* at = std::get_if<TensorAt>(&argument)) return {{"tensor", at->tensor}};
  return {{"value", parsed(std::get<PlainValue>(argument).json, "value of forward")}};
}

json field_of(const TorchModule& module, std::size_t position) {
  json out = {{"key", module.key}};
  if (!module.error.empty())
    out["error"] = module.error;
  else
    out.update({{"name", module.name}, {"file", module_file(position)}, {"bytes", module.bytes}});
  return out;
}

std::string value_of(const Scalar& scalar, const Symbols& sizes) {
  const double value = scalar.value.evaluate(sizes);
  switch (scalar.type) {
    case ScalarType::boolean:
      return value != 0 ? "true" : "false";
    case ScalarType::int64:
      return std::to_string(static_cast<std::int64_t>(value));
    case ScalarType::float64:
      return json(value).dump();
  }
  return "null";
}

}  // namespace

TorchJob torch_job(const Task& task, std::string entry, std::string source, std::string name) {
  const auto& module = task.module.value();
  // A module's job has one set of shapes, that of the task's first case.
  const auto& sizes = task.cases.at(0).sizes;
  TorchJob job;
  job.entry = std::move(entry);
  job.source = std::move(source);
  job.name = std::move(name);
  job.init_arguments = module.init_arguments;
  job.init_named = module.init_named;
  job.training = module.training;
  job.function = module.function;
  job.adapter = module.adapter;
  job.cast_to = module.cast_to;
  for (const auto& parameter : task.parameters) {
    if (const auto* scalar = std::get_if<Scalar>(&parameter)) {
      job.forward.emplace_back(PlainValue{value_of(*scalar, sizes)});
      continue;
    }
    const auto& tensor = std::get<Tensor>(parameter);
    // Weights are loaded into the model, and outputs are returned: neither is an argument.
    if (tensor.role == Role::in && tensor.state.empty())
      job.forward.emplace_back(TensorAt{job.tensors.size()});
    TorchTensor argument;
    argument.name = tensor.name;
    argument.role = tensor.role;
    argument.dtype = tensor.dtype;
    argument.shape = shape_of(tensor, sizes);
    argument.state = tensor.state;
    argument.kind = tensor.state_kind;
    job.tensors.push_back(std::move(argument));
  }
  return job;
}

TorchJob kernel_job(const Task& task, std::string source, std::string name) {
  TorchJob job;
  job.form = Form::kernel;
  // The name that the stub in the prompt declares.
  job.entry = entry_point(task);
  job.source = std::move(source);
  job.name = std::move(name);
  job.sizes = task.sizes;
  for (const auto* scalar : task.scalars()) job.scalars.push_back(scalar->type);
  for (const auto* tensor : task.tensors()) {
    TorchTensor argument;
    argument.name = tensor->name;
    argument.role = tensor->role;
    argument.dtype = tensor->dtype;
    for (const auto& extent : tensor->shape) argument.extents.push_back(extent.text());
    job.tensors.push_back(std::move(argument));
  }
  return job;
}

std::string arranged_values(const Task& task, const Case& one) {
  json sizes = json::array();
  for (const auto& size : task.sizes) sizes.push_back(one.sizes.at(size));
  const auto values = task.scalar_values(one);
  return json{{"sizes", sizes}, {"floats", values.floats}, {"integers", values.integers}}.dump();
}

std::string module_file(std::size_t position) {
  return "module" + std::to_string(position) + ".so";
}

std::string to_json(const TorchJob& job) {
  json tensors = json::array(), forward = json::array(), modules = json::array();
  for (std::size_t i = 0; i < job.modules.size(); ++i) modules.push_back(field_of(job.modules[i], i));
  for (const auto& tensor : job.tensors) tensors.push_back(field_of(tensor));
  for (const auto& argument : job.forward) forward.push_back(field_of(argument));
  json out = {{"class", job.entry},
              {"source", job.source},
              {"name", job.name},
              {"init",
               {{"arguments", parsed(job.init_arguments, "constructor's arguments")},
                {"named", parsed(job.init_named, "constructor's named arguments")}}},
              {"training", job.training},
              {"seed", job.seed},
              {"tensors", std::move(tensors)},
              {"forward", std::move(forward)}};
  if (!job.function.empty()) {
    out["function"] = job.function;
    out["adapter"] = job.adapter;
  }
  if (job.cast_to) out["cast_to"] = *job.cast_to;
  // Absent keys mean a module, as in jobs from before kernels existed.
  if (job.form == Form::kernel) {
    out["form"] = job.form;
    out["sizes"] = job.sizes;
    out["scalars"] = job.scalars;
  }
  if (job.in_place) out["in_place"] = true;
  if (job.triton) out["triton"] = true;
  if (job.compile) out["compile"] = *job.compile;
  if (!modules.empty()) out["modules"] = std::move(modules);
  for (const auto& [name, bytes] : job.kernels) out["kernels"].push_back({{"name", name}, {"bytes", bytes}});
  // A source may contain bytes that are not UTF-8; the runner gets replacement characters instead of no job.
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace ridgeline::protocol
