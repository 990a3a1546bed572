// What `ptxas -v` writes among nvcc's messages, taken apart. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/kernel_resources.hpp"

namespace ridgeline {

struct PtxasLog {
  std::vector<KernelResources> kernels;  ///< in the order of the log; a kernel once for each architecture
  std::string
      rest;  ///< all other lines: errors, warnings, and ptxas' numbered advice ("(C7510) Potential …")
};

PtxasLog parse_ptxas(std::string_view log);

/// "reduce<float, 4>" for "_Z6reduceIfLi4EEvPKT_"; a name that is not mangled stays as it is.
std::string kernel_name(const std::string& symbol);

}  // namespace ridgeline
