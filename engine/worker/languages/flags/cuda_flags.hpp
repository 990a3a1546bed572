// Which flags of nvcc a campaign or a candidate may choose: a list of what is allowed, as for C++
// (flags.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::languages {

/// Names the architecture of the H200 and the H100.
inline constexpr const char* default_cuda_architecture = "sm_90";

/// -O3, C++17 (C++20's headers cost a tenth of a second more) and the architecture: "sm_90", "sm_90a", …
std::vector<std::string> default_cuda_flags(const std::string& architecture = default_cuda_architecture);

/// Flags whose value stands in the next element, as `-Xptxas -O3`, in one: `-Xptxas=-O3`.
std::vector<std::string> with_values_joined(const std::vector<std::string>& flags);

/// The first flag that is not allowed.
std::optional<std::string> first_forbidden_cuda(const std::vector<std::string>& flags);

/// With `-arch=<architecture>` behind them where they name none.
std::vector<std::string> with_architecture(std::vector<std::string> flags, const std::string& architecture);

/// As nvcc is called: machine code for the architectures named, and no PTX beside it, which only newer GPUs
/// would translate.
std::vector<std::string> for_nvcc(const std::vector<std::string>& flags);

}  // namespace ridgeline::languages
