// Where CUPTI lies on this machine: with torch (pip), with a toolkit, or where the loader is told to look.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::cuda {

/// The library in the first of `folders` that has what it needs beside it, links resolved: the same file must
/// be seen under its own path in a sandbox. Empty where none has.
std::optional<std::filesystem::path> find_cupti(const std::vector<std::filesystem::path>& folders);

/// Where to look, best first: LD_LIBRARY_PATH, beside what this process has loaded (a torch brings CUPTI),
/// CUDA_HOME, the toolkit's usual place, the system.
std::vector<std::filesystem::path> cupti_folders();

/// What is missing, and the mend.
std::string no_cupti_text(const std::vector<std::filesystem::path>& folders);

/// Why a sandboxed process may not read counters, by what NVIDIA's kernel module was loaded with; empty where
/// nothing forbids it. `parameters` is the module's file.
std::string counters_forbidden(const std::filesystem::path& parameters = "/proc/driver/nvidia/params");

}  // namespace ridgeline::cuda
