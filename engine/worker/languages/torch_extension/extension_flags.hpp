// Decides which compiler and linker flags a C++ or CUDA extension of torch may be built with. A Python answer
// chooses them when it calls torch.utils.cpp_extension (`extra_cflags` and so on). Allowed are the flags that
// cpp_flags.hpp and cuda_flags.hpp allow, and a few more that such answers often name, as -fopenmp or
// -lcublas.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/worker/languages/torch_extension/request.hpp"

namespace ridgeline::torch_extension {

/// The allowed flags of a request, one flag per element, a value joined to its flag.
struct ExtensionFlags {
  std::vector<std::string> host;       ///< for g++
  std::vector<std::string> cuda;       ///< for nvcc
  std::vector<std::string> libraries;  ///< for the linker, as "-lcublas", and "-lgomp" for -fopenmp; none of
                                       ///< torch's or Python's own
  /// Flags among nvcc's that nvcc itself refuses, as -fPIC, and that change nothing here: left out, and the
  /// build's note says so, since KernelBench's build fails by them.
  std::vector<std::string> unknown_to_nvcc;

  /// Kernels may launch kernels: -rdc=true.
  bool relocatable() const;
};

/// The first flag of a request that is not allowed; the lists are read in the order cflags, cuda_cflags,
/// ldflags.
struct ForbiddenFlag {
  std::string flag;
  std::string list;  ///< as load_inline names it: "extra_cuda_cflags"

  /// "extra_cuda_cflags: the compiler flag -I/x is not allowed; leave it out: …"
  std::string words() const;
};

/// Sorts the request's flags. One element of its lists may hold several flags separated by spaces, quoted as
/// for a shell, since torch passes them to one. Flags that change nothing in the build, as -Wall for g++, are
/// left out, and so are libraries among the flags of the compilers.
std::variant<ExtensionFlags, ForbiddenFlag> read_extension_flags(const ExtensionRequest& request);

/// Returns what a build's note says of these flags: "left out -fPIC, which nvcc itself refuses", or nothing.
std::string note_of(const ExtensionFlags& flags);

}  // namespace ridgeline::torch_extension
