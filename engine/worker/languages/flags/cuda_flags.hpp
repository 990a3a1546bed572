// Decides which flags of nvcc a campaign or a candidate may choose, by a list of what is allowed, as for C++
// (cpp_flags.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::languages {

/// Names the architecture of the H200 and the H100.
inline constexpr const char* default_cuda_architecture = "sm_90";

/// Returns -O3, C++17 (C++20's headers cost a tenth of a second more) and the architecture: "sm_90",
/// "sm_90a", …
std::vector<std::string> default_cuda_flags(const std::string& architecture = default_cuda_architecture);

/// Joins a flag and its value in the next element to one element: `-Xptxas -O3` becomes `-Xptxas=-O3`, and
/// `-D N=1` becomes `-DN=1`, since a flag of one letter takes no "=".
std::vector<std::string> with_values_joined(const std::vector<std::string>& flags);

/// Returns the first flag that is not allowed, with its value joined; refusal_of (refused_flag.hpp) words it.
/// Architectures are allowed as sm_*, compute_*, native, all and all-major; cuda_architecture.hpp fits them
/// to the device.
std::optional<std::string> first_forbidden_cuda(const std::vector<std::string>& flags);

/// Joins values, and appends `-arch=<architecture>` if the flags name none.
std::vector<std::string> with_architecture(std::vector<std::string> flags, const std::string& architecture);

/// Returns the flags as nvcc gets them: `-arch=sm_90` or `--gpu-architecture=sm_90` becomes the `-gencode`
/// for machine code alone, since nvcc would add PTX, which only newer GPUs translate. Other ways to name an
/// architecture stay as they are; fit_architectures (cuda_architecture.hpp) has replaced them before.
std::vector<std::string> for_nvcc(const std::vector<std::string>& flags);

}  // namespace ridgeline::languages
