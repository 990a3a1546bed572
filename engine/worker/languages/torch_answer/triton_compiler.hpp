// Compiles the triton kernels of an answer ahead of its run, on a machine that need not have a GPU. A Python
// process in a compiler's sandbox calls the answer once (a module's forward, or a kernel once per case) with
// tensors that have shapes and no values. Triton compiles each kernel that the call would launch
// (runner/python/ridgeline_runner/ahead.py).
//
// The process executes the answer, so the candidate controls every file that the process leaves. These files
// go to that candidate's own runner only, and links among them are not followed.
//
// The process spends most of its time on importing torch and triton, which needs no answer. So while one
// answer is compiled, the process for the next one starts and does its imports. It then waits, in a sandbox
// and a folder of its own. Each process executes one answer and ends.
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
  int architecture = 90;          // the GPU to compile for: 90 for sm_90
  std::filesystem::path scratch;  // an existing folder, in which each process gets a folder of its own
};

/// The compiled kernels of one answer.
struct TritonKernels {
  std::shared_ptr<const languages::BuildScratch> folder;  // keeps `files` in existence
  /// Absolute paths, sorted: machine code (.cubin), triton's description of each kernel (.json), and the
  /// modules by which Python launches kernels (.so). Empty if the call reached no kernel.
  std::vector<std::filesystem::path> files;
  std::string note;        // "3 kernels of triton; 4.2 s of CPU", and why `whole` is false
  double cpu_seconds = 0;  // of the whole process, the imports before it got the answer included
  /// Whether the call came to its end. False if the answer raised an exception, exited or crashed; `files`
  /// then holds the kernels that were compiled until then.
  bool whole = false;
};

/// Threads: any number may call compile() at once. A thread that called it should live as long as this
/// object. If it ends earlier, the process that it started for the next answer is killed with it
/// (sandbox/process.hpp), and the next call has to start another.
class TritonCompiler {
 public:
  explicit TritonCompiler(TritonTools tools);
  ~TritonCompiler();                               // ends the process that waits
  TritonCompiler(const TritonCompiler&) = delete;  // owns a process
  TritonCompiler& operator=(const TritonCompiler&) = delete;

  /// Compiles the kernels of one answer. `job`: the text of a job file (protocol::TorchJob as JSON, which
  /// holds the answer), with "device" and "architecture" added, and for a kernel "cases". `answer`: the file
  /// name by which errors call the answer ("answer.py:12: error: …").
  ///
  /// Returns BuildFailure if triton's compiler rejects a kernel, if a limit ends the process (120 s of CPU,
  /// 300 s of wall time from the answer on, memory, processes), or if the files are more than 1,024 or
  /// 256 MiB. An answer that raises, exits or crashes is no failure here, since its measurement will show it:
  /// `whole` is false then. Throws MachineCannot if the process ends before it has read the answer, twice.
  std::variant<TritonKernels, languages::BuildFailure> compile(const std::string& job,
                                                               const std::string& answer);
  /// Ends the process that waits, removes its folder, and starts none ahead any more. compile() still works,
  /// but waits for the imports each time.
  void drop();

 private:
  struct Interpreter;
  std::unique_ptr<Interpreter> start() const;
  std::unique_ptr<Interpreter> take();
  void start_next();

  TritonTools tools_;
  std::mutex mutex_;
  std::unique_ptr<Interpreter> next_;  // waits for an answer; null if none waits
  bool starting_ = false;              // a thread is starting the one for `next_`
  bool dropped_ = false;
};

}  // namespace ridgeline::torch_answer
