// Compiles device code at run time with the NVRTC that LibTorch or a toolkit brings, which is loaded at the
// first use.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::cuda {

/// Compiles `source` to a cubin for compute capability `major`.`minor`, for cuModuleLoadData. Throws
/// MachineCannot where NVRTC is not found, and Error with its log where the source does not compile.
std::vector<char> compile(const std::string& source, int major, int minor);

}  // namespace ridgeline::cuda
