// The artefact of an answer in Python: the job file's line (torch_job.hpp), and behind it the libraries of
// its modules and triton's kernels, one after the other. So what was built is one file, kept and handed on as
// a library is. What stands behind the last of them is not ours.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/worker/protocol/torch_job.hpp"

namespace ridgeline::protocol {

/// `libraries`: of those of job.modules that built, in order; `kernels`: files that become job.kernels.
/// Throws MachineCannot.
void write_torch_artefact(const std::filesystem::path& artefact, TorchJob job,
                          const std::vector<std::filesystem::path>& libraries,
                          const std::vector<std::filesystem::path>& kernels = {});

/// Writes the job file to `job`, the libraries beside it and the kernels into a folder there. Throws
/// MachineCannot, and BadInput for a file that ends too early.
void unpack_torch_artefact(const std::filesystem::path& artefact, const std::filesystem::path& job);

}  // namespace ridgeline::protocol
