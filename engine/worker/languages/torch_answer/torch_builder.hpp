// Builds an answer in Python. The interpreter's own parser, confined, checks the text. Then the text and what
// the runner must know of the task are written into one job file. The answer is not executed, with two
// exceptions, both confined. If it names load_inline, it is executed to learn which modules of C++ or CUDA it
// asks to have built (recorder.hpp); they are built, and the artefact holds them after the job file
// (protocol/torch_artefact.hpp). If it imports triton for a GPU, its kernels are compiled
// (triton_compiler.hpp), and the artefact holds them too.
//
// Modules are first built with the slim headers, small stand-ins for torch's headers (engine/torch_slim), in
// a second or two; torch's own headers take most of a minute.
//
// Threads: any number may call build() at once. Each should live as long as the builder: a helper process
// ends with the thread that started it, and then has to be started again (sandbox/process.hpp).
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
#include "engine/worker/languages/torch_extension/front_ends/front_ends.hpp"
#include "engine/worker/languages/workshop.hpp"
#include "engine/worker/protocol/torch_job.hpp"

namespace ridgeline::torch_answer {

inline constexpr const char* no_python =
    "no Python with torch was found: install torch, or let RIDGELINE_PYTHON name a Python that has it";

/// Holds what builds the modules of answers.
struct ModuleTools {
  torch_extension::ExtensionBuilder builder;
  std::filesystem::path library;  // libridgeline-python-runner.so, for the recorder
  std::variant<torch_extension::TorchHeaders, std::string> torch;   // torch's own; or why there are none
  std::string architecture = languages::default_cuda_architecture;  // that triton's kernels are compiled for
  /// Is called after each module was built, from any thread, so that somebody counts how often the slim
  /// headers did not suffice. `error`: their first error, "" if they did. May be empty.
  std::function<void(torch_slim::Build, const std::string& error)> count = {};
  std::shared_ptr<front_ends::FrontEnds> front_ends = {};  // that refuse what is wrong; may be null
};

class TorchBuilder {
 public:
  /// Makes a builder. Without `tools`, answers that name load_inline, and triton's for a GPU, fail as
  /// compiler_missing.
  TorchBuilder(languages::PythonToolchain python, languages::BuildSettings settings,
               std::optional<ModuleTools> tools = std::nullopt);
  TorchBuilder(TorchBuilder&&) noexcept;
  ~TorchBuilder();

  /// Builds an answer into an artefact of protocol/torch_artefact.hpp. A failure says the line of a syntax
  /// error, that the text does not define ModelNew (or the task's function), or in its compiler's words why a
  /// module does not build. `torch_headers`: whether a module that the slim headers cannot build is built
  /// with torch's own.
  languages::BuildResult build(const Task& task, const Candidate& candidate, bool torch_headers = true) const;

  /// Writes the task's own module as a job file for a runner that calls torch.compile in `mode`. Builds
  /// nothing here. Fails as unsupported if the task has no module.
  languages::BuildResult reference(const Task& task, CompileMode mode) const;

  /// Starts the interpreter that records answers with inline C++ or CUDA. Throws MachineCannot.
  void warm_up() const;
  /// Ends the processes that wait for the next answer: for its triton kernels, and the front ends. build()
  /// still works.
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
  Hash recorder_hash_;  // of the recorder's library: it decides what is built, so it is part of builds' keys
  struct Names;         // the names that torch's headers declare, read when the slim headers first fail
  std::unique_ptr<Names> names_;
};

}  // namespace ridgeline::torch_answer
