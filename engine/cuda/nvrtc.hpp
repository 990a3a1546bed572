// Device code compiled at run time, by the NVRTC that LibTorch or a toolkit brings; loaded when first asked
// for.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::cuda {

/// A cubin for compute capability `major`.`minor`, to be given to cuModuleLoadData. Throws MachineCannot
/// where NVRTC is not found, and Error with its log where the source does not compile.
std::vector<char> compile(const std::string& source, int major, int minor);

}  // namespace ridgeline::cuda
