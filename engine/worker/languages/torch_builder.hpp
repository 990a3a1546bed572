// What "building" an answer in Python is: its text is read by the interpreter's own parser, confined, and
// written beside what the runner must know of the task, as one job file. Nothing of it runs.
//
// Threads: build() from any number at once; from a thread that lives as long as the call
// (sandbox/process.hpp).
#pragma once

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline {

inline constexpr const char* no_python =
    "no Python with torch was found: install torch, or let RIDGELINE_PYTHON name a Python that has it";

class TorchBuilder {
 public:
  TorchBuilder(PythonToolchain python, BuildSettings settings);

  /// The artefact is a job file (protocol/torch_job.hpp). A failure says the line of a syntax error, or that
  /// the text binds no name ModelNew.
  BuildResult build(const Task& task, const Candidate& candidate) const;

  const PythonToolchain& python() const { return python_; }

 private:
  PythonToolchain python_;
  Workshop workshop_;
};

}  // namespace ridgeline
