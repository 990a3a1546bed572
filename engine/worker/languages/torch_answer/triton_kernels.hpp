// Triton's kernels of an answer, compiled for a card that is not there: forward is called once in a
// compiler's sandbox with tensors that have no values (runner/python/ridgeline_runner/ahead.py).
//
// The process executes the answer, so all that it leaves is the candidate's: files that only its own runner
// is given, and never followed where they are links.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_scratch.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/languages/toolchain.hpp"

namespace ridgeline {

struct TritonTools {
  PythonToolchain python;
  Toolchain host;                 // compiles the modules by which Python launches kernels
  std::filesystem::path library;  // libridgeline-python-runner.so
  Isolation isolation = Isolation::strict;
};

struct TritonKernels {
  std::vector<std::filesystem::path> files;  // in the scratch folder
  std::string note;                          // "3 kernels for sm_90"
  double cpu_seconds = 0;
  bool whole = false;  // forward came to its end
};

/// `job`: a job file's text, with "device" and "architecture" (90 for sm_90) added.
std::variant<TritonKernels, BuildFailure> compile_kernels(const TritonTools& tools, const std::string& job,
                                                          const BuildScratch& scratch,
                                                          const std::string& answer);

}  // namespace ridgeline
