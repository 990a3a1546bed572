// Builds an answer in Python: its text is read by the interpreter's own parser, confined, and written beside
// what the runner must know of the task, as one job file. Nothing of it runs, with two exceptions. If it
// speaks of load_inline, it is executed to learn what it has built (recorder.hpp), and the modules travel
// with the job (protocol/torch_artefact.hpp). If it imports triton for a GPU, its kernels are compiled
// (triton_compiler.hpp) and travel with the job.
//
// Threads: build() from any number at once, from threads that live as long as this (triton_compiler.hpp,
// sandbox/process.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/languages/torch_answer/answer_modules.hpp"
#include "engine/worker/languages/torch_answer/recorder.hpp"
#include "engine/worker/languages/torch_answer/triton_compiler.hpp"
#include "engine/worker/languages/torch_extension/extension_builder.hpp"
#include "engine/worker/languages/workshop.hpp"
#include "engine/worker/protocol/torch_job.hpp"

namespace ridgeline::torch_answer {

inline constexpr const char* no_python =
    "no Python with torch was found: install torch, or let RIDGELINE_PYTHON name a Python that has it";

/// Holds what builds the modules of answers.
struct ModuleTools {
  torch_extension::ExtensionBuilder builder;
  std::filesystem::path library;  // libridgeline-python-runner.so, for the recorder
  std::variant<torch_extension::TorchHeaders, std::string> torch;   // or why there are none
  std::string architecture = languages::default_cuda_architecture;  // that triton's kernels are compiled for
  /// Is called once a module, from any thread, so that misses of the slim headers are seen; may be empty.
  std::function<void(torch_slim::Build, const std::string& error)> count = {};
};

class TorchBuilder {
 public:
  /// Makes a builder. Without `tools`, answers that speak of load_inline fail, as compiler_missing.
  TorchBuilder(languages::PythonToolchain python, languages::BuildSettings settings,
               std::optional<ModuleTools> tools = std::nullopt);
  TorchBuilder(TorchBuilder&&) noexcept;
  ~TorchBuilder();

  /// Builds an answer; the artefact is that of protocol/torch_artefact.hpp. A failure says the line of a
  /// syntax error, that the text binds no name ModelNew, or in its compiler's words why a module does not
  /// build. `torch_headers`: what the slim headers do not do for may take most of a minute with torch's own.
  languages::BuildResult build(const Task& task, const Candidate& candidate, bool torch_headers = true) const;

  /// Writes the task's own module for a runner that compiles it: nothing is built here.
  languages::BuildResult reference(const Task& task, CompileMode mode) const;

  /// Starts the interpreter that records answers with inline C++ or CUDA. Throws MachineCannot.
  void warm_up() const;
  /// Ends what waits for further answers.
  void wind_down() const;

  const languages::PythonToolchain& python() const { return python_; }

 private:
  std::variant<TritonKernels, languages::BuildFailure> kernels_of(const Task& task,
                                                                  const protocol::TorchJob& job) const;
  std::variant<AnswerModules, languages::BuildFailure> modules_of(const protocol::TorchJob& job,
                                                                  std::string_view device,
                                                                  bool torch_headers) const;

  languages::PythonToolchain python_;
  languages::Workshop workshop_;
  std::optional<ModuleTools> tools_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<TritonCompiler> triton_;
  Hash recorder_hash_;  // requests are found by what this very library makes of them
  struct Names;         // of torch's headers, read when they are first asked about
  std::unique_ptr<Names> names_;
};

/// Returns whether a line of an answer imports triton, wherever it stands.
bool imports_triton(const std::string& source);

/// Returns whether an answer may ask for anything to be built.
bool speaks_of_extensions(const std::string& source);

}  // namespace ridgeline::torch_answer
