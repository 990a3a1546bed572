// Executes answers in Python to learn what they have built, where that reaches nothing: confined as compilers
// are, without devices, network or a file to write, and then by the filters of a runner (runner/python/
// ridgeline_runner/record.py).
//
// An interpreter takes seconds to import torch, so one is kept: it runs nothing of a candidate, and forks for
// each answer, which takes some hundredths of a second. It is started when the first answer comes or is
// expected, and again after it died.
//
// Threads: any number at once; the interpreter lives no longer than the thread that happened to start it
// (sandbox/process.hpp), and is started again then.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/languages/torch_answer/recording.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::torch_answer {

struct RecorderSettings {
  languages::PythonToolchain python;
  std::filesystem::path library;  // libridgeline-python-runner.so
  sandbox::Isolation isolation = sandbox::Isolation::strict;
  double start_limit = 120;  // seconds; an import of torch reads a gigabyte where it was never read before
  double limit = 60;         // seconds of one answer
};

class RecorderProcess;

class Recorder {
 public:
  explicit Recorder(RecorderSettings settings);
  ~Recorder();
  Recorder(const Recorder&) = delete;  // threads hold its address
  Recorder& operator=(const Recorder&) = delete;

  /// Starts the interpreter and waits for it, unless it is up. Throws MachineCannot.
  void warm_up() { process(); }

  /// `job`: JSON as a job file, with "device", "cpu" or "cuda": what the answer is to find, though no device
  /// is here; and "failed": errors by key, raised where these modules are asked for. Throws MachineCannot
  /// where the interpreter cannot be started.
  Recording record(const std::string& job);

 private:
  std::shared_ptr<RecorderProcess> process();

  RecorderSettings settings_;
  std::mutex mutex_;  // of the start
  std::shared_ptr<RecorderProcess> process_;
};

}  // namespace ridgeline::torch_answer
