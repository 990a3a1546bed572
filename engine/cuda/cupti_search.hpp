// Finds CUPTI on this machine: beside torch (pip), in a toolkit, or in the loader's own folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::cuda {

/// Returns the path of libcupti.so.13 in the first of `folders` that has it with libnvperf_host.so beside the
/// file that its links lead to. The path is that file's: a sandbox is shown the file, not the links. Empty
/// where no folder has both.
std::optional<std::filesystem::path> find_cupti(const std::vector<std::filesystem::path>& folders);

/// Lists the folders to search, best first: LD_LIBRARY_PATH, beside the libraries that this process has
/// loaded (torch brings CUPTI), CUDA_HOME, the toolkit's usual place, the system's folders.
std::vector<std::filesystem::path> cupti_folders();

/// Says that CUPTI was not found in `folders`, and how to install it.
std::string no_cupti_text(const std::vector<std::filesystem::path>& folders);

/// Says why a sandboxed process may not read counters, from the options that NVIDIA's kernel module was
/// loaded with; empty where they forbid nothing or cannot be read. `parameters` is the file that lists them.
std::string counters_forbidden(const std::filesystem::path& parameters = "/proc/driver/nvidia/params");

}  // namespace ridgeline::cuda
