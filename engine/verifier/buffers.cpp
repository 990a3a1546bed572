#include "engine/verifier/buffers.hpp"

#include <ATen/ops/from_blob.h>

namespace ridgeline::verifier {

at::ScalarType scalar_type(DType dtype) {
  switch (dtype) {
    case DType::float64:
      return at::kDouble;
    case DType::float32:
      return at::kFloat;
    case DType::float16:
      return at::kHalf;
    case DType::bfloat16:
      return at::kBFloat16;
    case DType::int64:
      return at::kLong;
    case DType::int32:
      return at::kInt;
    case DType::int16:
      return at::kShort;
    case DType::int8:
      return at::kChar;
    case DType::uint8:
      return at::kByte;
    case DType::boolean:
      return at::kBool;
    case DType::complex64:
      return at::kComplexFloat;
    case DType::complex128:
      return at::kComplexDouble;
  }
  return at::ScalarType::Undefined;
}

at::Tensor view_of(void* data, DType dtype, const std::vector<std::int64_t>& shape) {
  return at::from_blob(data, shape, at::TensorOptions().dtype(scalar_type(dtype)));
}

at::Tensor view_of(void* data, const Tensor& tensor, const Symbols& sizes) {
  return view_of(data, tensor.dtype, shape_of(tensor, sizes));
}

namespace {

std::vector<const Tensor*> all_but(const Task& task, Role role) {
  std::vector<const Tensor*> selected;
  for (const auto* tensor : task.tensors())
    if (tensor->role != role) selected.push_back(tensor);
  return selected;
}

}  // namespace

std::vector<const Tensor*> arguments_of(const Task& task) {
  return all_but(task, Role::out);
}
std::vector<const Tensor*> outputs_of(const Task& task) {
  return all_but(task, Role::in);
}

}  // namespace ridgeline::verifier
