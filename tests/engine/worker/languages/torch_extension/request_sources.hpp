// Small requests in the form of load_inline, for the tests of the room.
#pragma once

#include "engine/worker/languages/torch_extension/request.hpp"

namespace ridgeline::torch_extension {

inline constexpr const char* kScaleDeclaration = "torch::Tensor scale(torch::Tensor x, double by);";

inline constexpr const char* kScaleSource =
    "#include <torch/extension.h>\n#include <cuda_runtime.h>\n"
    "__global__ void scale_kernel(const float* x, float* out, float by, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = by * x[i];\n}\n"
    "torch::Tensor scale(torch::Tensor x, double by) {\n"
    "  TORCH_CHECK(x.is_contiguous(), \"x must be contiguous\");\n"
    "  auto out = torch::empty_like(x);\n"
    "  const int n = x.numel();\n"
    "  scale_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), by, n);\n"
    "  return out;\n}\n";

inline ExtensionRequest scale_request() {
  ExtensionRequest request;
  request.name = "scale_module";
  request.cpp_sources = {kScaleDeclaration};
  request.cuda_sources = {kScaleSource};
  request.functions = {{"scale", "scale"}};
  request.has_functions = true;
  return request;
}

}  // namespace ridgeline::torch_extension
