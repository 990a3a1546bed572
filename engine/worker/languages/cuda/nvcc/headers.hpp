// Reads ahead, once for a set of flags, what nvcc reads before each source: the text of cuda_runtime.h as
// both sides see it, the macros that it leaves behind, and what cudafe++ makes of it, precompiled for the
// host's compiler.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/worker/languages/cuda/nvcc/plan.hpp"
#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::nvcc {

struct Headers {
  std::filesystem::path folder;
  std::uintmax_t host_bytes = 0;  // of the header that is precompiled
  languages::BuildHold hold;
};

/// Finds the headers in the cache, if they are there.
std::optional<Headers> find_headers(const languages::Workshop& workshop,
                                    const languages::CudaToolchain& toolchain, const Plan& plan);

/// Makes the headers: 4 to 5 s. Empty if that fails or if they would not give what nvcc sees, which is tried
/// with other headers behind them. Throws MachineCannot.
std::optional<Headers> make_headers(const languages::Workshop& workshop,
                                    const languages::CudaToolchain& toolchain, const Plan& plan);

// Decide alone; no I/O.

/// Returns the macros of `defines`, which `g++ -E -dD` made of an empty source: in their order, each at its
/// place in its header, without the compiler's own.
std::string macros_of(std::string_view defines);

/// Returns all before the source itself in `expanded`, which `g++ -E` made of an empty kernel.cu.
std::string_view before_source(std::string_view expanded);

/// Returns what both of cudafe++'s texts begin with, up to a line that names its place: the rest stands for
/// itself.
std::string_view common_header(std::string_view a, std::string_view b);

/// Returns whether both have the same tokens, in whatever lines and places.
bool same_text(std::string_view a, std::string_view b);

}  // namespace ridgeline::nvcc
