// Compiles the triton kernels of an answer for a card that is not there: forward is called once in a
// compiler's sandbox with tensors that have no values (runner/python/ridgeline_runner/ahead.py).
//
// The process executes the answer, so all that it leaves is the candidate's: files that only its own runner
// is given, and never followed where they are links. Most of its time are imports, for which no answer is
// needed: so while one is compiled the process for the next is started, and waits with all imported. It waits
// in a sandbox and a folder of its own, executes one answer and ends.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_scratch.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/languages/toolchain.hpp"

namespace ridgeline::torch_answer {

struct TritonTools {
  languages::PythonToolchain python;
  languages::Toolchain host;      // compiles the modules by which Python launches kernels
  std::filesystem::path library;  // libridgeline-python-runner.so
  sandbox::Isolation isolation = sandbox::Isolation::strict;
  int architecture = 90;          // of the card that is meant: 90 for sm_90
  std::filesystem::path scratch;  // where folders for a process each are made
};

struct TritonKernels {
  std::shared_ptr<const languages::BuildScratch> folder;  // holds the files
  std::vector<std::filesystem::path> files;
  std::string note;  // "3 kernels for sm_90"
  double cpu_seconds = 0;
  bool whole = false;  // forward came to its end
};

/// Threads: compile() from any number at once, from threads that live as long as this (sandbox/process.hpp).
class TritonCompiler {
 public:
  explicit TritonCompiler(TritonTools tools);
  ~TritonCompiler();
  TritonCompiler(const TritonCompiler&) = delete;  // holds a process
  TritonCompiler& operator=(const TritonCompiler&) = delete;

  /// Compiles the kernels of one answer. `job`: a job file's text, with "device" and "architecture" added.
  /// `answer`: what its text is called there.
  /// Throws MachineCannot if the interpreter does not come as far as the answer.
  std::variant<TritonKernels, languages::BuildFailure> compile(const std::string& job,
                                                               const std::string& answer);
  /// Ends the process that waits, with its folder, and starts none any more.
  void drop();

 private:
  struct Interpreter;
  std::unique_ptr<Interpreter> start() const;
  std::unique_ptr<Interpreter> take();
  void start_next();

  TritonTools tools_;
  std::mutex mutex_;
  std::unique_ptr<Interpreter> next_;  // waits for an answer
  bool starting_ = false;              // somebody starts it
  bool dropped_ = false;
};

}  // namespace ridgeline::torch_answer
