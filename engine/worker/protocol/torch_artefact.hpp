// Packs an answer in Python into one file: the line of the job file (torch_job.hpp), followed by the
// libraries of its modules and triton's kernels. So a build makes one file, which is stored and passed on as
// a library is. Bytes after the last library or kernel belong to others and are ignored.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/worker/protocol/torch_job.hpp"

namespace ridgeline::protocol {

/// Writes the artefact. `libraries` holds those of job.modules that were built, in order; `kernels` are
/// files that become job.kernels. Throws MachineCannot.
void write_torch_artefact(const std::filesystem::path& artefact, TorchJob job,
                          const std::vector<std::filesystem::path>& libraries,
                          const std::vector<std::filesystem::path>& kernels = {});

/// Writes the job file to `job`, the libraries beside it, and the kernels into a folder there. Throws
/// MachineCannot, and BadInput for an artefact that ends too early or does not say what it holds.
void unpack_torch_artefact(const std::filesystem::path& artefact, const std::filesystem::path& job);

}  // namespace ridgeline::protocol
