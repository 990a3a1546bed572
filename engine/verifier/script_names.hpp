// Resolves names inside a reference text for LibTorch's TorchScript front end.
//
// LibTorch's own resolver knows only `torch`, and no dtype; reference.hpp lists what this resolver adds.
#pragma once

#include <torch/csrc/jit/frontend/resolver.h>

namespace ridgeline::verifier {

/// Returns the resolver to compile a reference text with.
torch::jit::ResolverPtr script_names();

}  // namespace ridgeline::verifier
