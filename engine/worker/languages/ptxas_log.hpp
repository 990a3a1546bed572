// Takes what `ptxas -v` writes out of nvcc's messages. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/kernel_resources.hpp"

namespace ridgeline::languages {

struct PtxasLog {
  std::vector<KernelResources> kernels;  ///< in the order of the log; a kernel once for each architecture
  std::string
      rest;  ///< all other lines: errors, warnings, and ptxas' numbered advice ("(C7510) Potential …")
};

PtxasLog parse_ptxas(std::string_view log);

}  // namespace ridgeline::languages
