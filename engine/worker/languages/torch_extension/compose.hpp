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
  // The text of another file that the compiler includes before `file`, so that its lines keep their numbers.
  std::string prelude = {};
};

/// Composes what torch itself would write into its build folder, byte for byte; for Form::files, each file as
/// it is. One unit for all C++ sources and, if there are any, one for all CUDA sources; for files one each.
std::vector<ExtensionUnit> compose_as_torch(const ExtensionRequest& request);

/// Composes the same with a prelude of the standard and CUDA headers that the sources use: torch's headers
/// bring them, and the slim headers do not.
std::vector<ExtensionUnit> compose_slim(const ExtensionRequest& request);

/// Composes the units of compose_slim as one for nvcc, which saves a compiler's start: the prelude, the C++
/// sources and the bindings come first. Diagnostics have torch's file names and lines. Returns none if that
/// could mean something else than two units do: if C++ sources do more than declare, if a C++ flag sets a
/// macro, or if CUDA sources use torch/extension.h without including it. Returns none for Form::files,
/// without CUDA sources, and without implicit headers.
std::vector<ExtensionUnit> compose_joined(const ExtensionRequest& request);

}  // namespace ridgeline::torch_extension
