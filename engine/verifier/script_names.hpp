// What names mean inside a reference text: a resolver for LibTorch's TorchScript front end.
//
// LibTorch's own resolver knows `torch` alone, and no dtype; reference.hpp lists what this one adds.
#pragma once

#include <torch/csrc/jit/frontend/resolver.h>

namespace ridgeline::verifier {

torch::jit::ResolverPtr script_names();

}  // namespace ridgeline::verifier
