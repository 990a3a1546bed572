// Composes the files for a compiler from a request. No I/O.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/languages/torch_extension/request.hpp"

namespace ridgeline::torch_extension {

struct ExtensionUnit {
  enum class Compiler { host, nvcc } compiler = Compiler::host;
  std::string file;  // "main.cpp", "cuda.cu": what diagnostics name
  std::string text;
  std::string prelude =
      {};  // included before it, from a file of its own: diagnostics quote the lines of `file`
};

/// Composes what torch itself would write into its build folder, byte for byte.
std::vector<ExtensionUnit> compose_as_torch(const ExtensionRequest& request);

/// Composes the same with a prelude of the standard and CUDA headers that the sources use (the slim headers
/// include none for their sake).
std::vector<ExtensionUnit> compose_slim(const ExtensionRequest& request);

/// Composes all of it as one unit for nvcc, which saves a compiler's start: bindings first, diagnostics by
/// torch's names and lines. Empty if that could mean something else than two units do: C++ sources that
/// define anything or set macros, or flags of their own that do.
std::vector<ExtensionUnit> compose_joined(const ExtensionRequest& request);

}  // namespace ridgeline::torch_extension
