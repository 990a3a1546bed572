// Decides which flags an extension may ask for, by lists of what is allowed (cpp_flags.hpp, cuda_flags.hpp)
// and of what Python answers name beyond them. Each element may hold several words, as torch hands them to a
// shell.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/worker/languages/torch_extension/request.hpp"

namespace ridgeline::torch_extension {

struct ExtensionFlags {
  std::vector<std::string> host, cuda;  // as given to g++ and nvcc
  std::vector<std::string> libraries;   // "-lcublas", in order; none of torch's or Python's own
};

struct ForbiddenFlag {
  std::string flag;
};

std::variant<ExtensionFlags, ForbiddenFlag> read_extension_flags(const ExtensionRequest& request);

}  // namespace ridgeline::torch_extension
