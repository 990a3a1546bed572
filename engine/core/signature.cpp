#include "engine/core/signature.hpp"

#include <fmt/format.h>

namespace ridgeline {
namespace {

std::string shape_text(const Tensor& tensor) {
  std::string text = "[";
  for (const auto& extent : tensor.shape) text += (text.size() > 1 ? ", " : "") + extent.text();
  return text + "]";
}

std::string count_note(const Tensor& tensor) {
  return tensor.count.empty()
             ? ""
             : fmt::format(", capacity; write the number of rows used to {}[0]", tensor.count);
}

std::string note_for(const Tensor& tensor) {
  auto note = fmt::format("{} {}", to_string(tensor.role), shape_text(tensor));
  if (is_complex(tensor.dtype)) note += ", interleaved (real, imaginary) pairs";
  if (tensor.dtype == DType::bfloat16) note += ", bfloat16 bits";
  if (tensor.dtype == DType::boolean) note += ", 0 or 1";
  return note + count_note(tensor);
}

/// Returns "in, float32 [M, N]". Complex tensors are described as the real views that a kernel is given.
std::string python_note(const Tensor& tensor) {
  auto shape = shape_text(tensor);
  const auto* pairs = is_complex(tensor.dtype) ? ", (real, imaginary) pairs" : "";
  if (is_complex(tensor.dtype)) shape.insert(shape.size() - 1, tensor.shape.empty() ? "2" : ", 2");
  return fmt::format("{}, {} {}{}{}", to_string(tensor.role), to_string(real_dtype(tensor.dtype)), shape,
                     pairs, count_note(tensor));
}

/// Python has no types in its stubs' notation here: comments carry them, as Triton's kernels need none.
std::string python_stub(const Task& task) {
  auto stub = fmt::format("def {}(\n", entry_point(task));
  for (const auto* tensor : task.tensors())
    stub += fmt::format("    {},  # {}\n", tensor->name, python_note(*tensor));
  for (const auto& size : task.sizes) stub += fmt::format("    {},  # int, size\n", size);
  for (const auto* scalar : task.scalars()) {
    const auto* type = scalar->type == ScalarType::float64 ? "float"
                       : scalar->type == ScalarType::int64 ? "int"
                                                           : "bool";
    stub += fmt::format("    {},  # {}, scalar, {}\n", scalar->name, type, scalar->value.text());
  }
  return stub + "):\n";
}

}  // namespace

std::string entry_point(const Task& task) {
  return "kernel_" + task.name;
}
std::string entry_point(const Task& task, Form form) {
  if (form == Form::kernel) return entry_point(task);
  return answers_with_function(task) ? task.module->function : "ModelNew";
}
std::string workspace_entry_point(const Task& task) {
  return entry_point(task) + "_workspace";
}

std::string_view c_type(DType dtype, Language language) {
  // g++ 12 has no arithmetic bfloat16 type, so C++ is given the bits.
  const bool cuda = traits(language).runs_on("cuda");
  switch (dtype) {
    case DType::float64:
    case DType::complex128:
      return "double";
    case DType::float32:
    case DType::complex64:
      return "float";
    case DType::float16:
      return cuda ? "__half" : "_Float16";
    case DType::bfloat16:
      return cuda ? "__nv_bfloat16" : "uint16_t";
    case DType::int64:
      return "int64_t";
    case DType::int32:
      return "int32_t";
    case DType::int16:
      return "int16_t";
    case DType::int8:
      return "int8_t";
    case DType::uint8:
    case DType::boolean:
      return "uint8_t";
  }
  return "void";
}

std::vector<Argument> kernel_arguments(const Task& task, Language language, bool with_workspace) {
  std::vector<Argument> arguments;
  for (const auto* tensor : task.tensors()) {
    const auto* constant = tensor->role == Role::in ? "const " : "";
    arguments.push_back(
        {fmt::format("{}{}*", constant, c_type(tensor->dtype, language)), tensor->name, note_for(*tensor)});
  }
  for (const auto& size : task.sizes) arguments.push_back({"int64_t", size, "size"});
  for (const auto* scalar : task.scalars()) {
    const auto* type = scalar->type == ScalarType::float64 ? "double"
                       : scalar->type == ScalarType::int64 ? "int64_t"
                                                           : "bool";
    arguments.push_back({type, scalar->name, fmt::format("scalar, {}", scalar->value.text())});
  }
  // The workspace stands before the stream, so that a kernel without one has the same stream argument.
  if (with_workspace) arguments.push_back({"void*", "workspace", "scratch of the size you asked for"});
  arguments.push_back(
      {"void*", "stream", traits(language).runs_on("cuda") ? "cudaStream_t to launch on" : "unused"});
  return arguments;
}

std::string kernel_stub(const Task& task, Language language) {
  if (traits(language).syntax == Syntax::python) return python_stub(task);
  const auto arguments = kernel_arguments(task, language, false);
  auto stub = fmt::format("extern \"C\" void {}(\n", entry_point(task));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool last = i + 1 == arguments.size();
    stub += fmt::format("    {} {}{}  // {}\n", arguments[i].type, arguments[i].name, last ? ")" : ",",
                        arguments[i].note);
  }
  return stub;
}

}  // namespace ridgeline
