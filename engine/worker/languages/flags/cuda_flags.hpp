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

/// Joins flags with a value in the next element, as `-Xptxas -O3`, to one: `-Xptxas=-O3`. One letter takes it
/// as it is: `-DN=1`, `-O3`.
std::vector<std::string> with_values_joined(const std::vector<std::string>& flags);

/// Returns the first flag that is not allowed; refused_flag.hpp has the words. Architectures are allowed in
/// all the ways that nvcc names them; cuda_architecture.hpp fits them to the device.
std::optional<std::string> first_forbidden_cuda(const std::vector<std::string>& flags);

/// Appends `-arch=<architecture>` if the flags name none.
std::vector<std::string> with_architecture(std::vector<std::string> flags, const std::string& architecture);

/// Returns the flags as nvcc gets them: machine code for the architectures named, and no PTX beside it, which
/// only newer GPUs would translate.
std::vector<std::string> for_nvcc(const std::vector<std::string>& flags);

}  // namespace ridgeline::languages
