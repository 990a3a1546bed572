// The interpreter that a Recorder keeps: started confined, handed answers, looked after while it works.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/languages/torch_answer/recorder.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::torch_answer {

class RecorderProcess {
 public:
  /// Starts it and waits until it has imported torch. Throws MachineCannot, in its own words.
  explicit RecorderProcess(const RecorderSettings& settings);

  /// Hands over a file with a job and where to write lines. False: it is gone.
  bool hand(int job, int output);
  /// Enforces limits and takes its output; call it now and then while it works. False: it has ended.
  bool look();
  /// Ends it with every answer that it executes.
  void end();

 private:
  std::mutex mutex_;
  FileDescriptor control_;
  std::optional<sandbox::Child> child_;
  std::string last_words_;
};

}  // namespace ridgeline::torch_answer
