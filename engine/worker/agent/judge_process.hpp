// Runs a `ridgeline-judge` as a child process, in its own process group and with a filtered environment. It
// dies with the thread that started it.
#pragma once

#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/posix/child_process.hpp"
#include "engine/worker/agent/ports.hpp"
#include "engine/worker/agent/torch_folder.hpp"

namespace ridgeline::agent {

/// The command that starts a judge, and its time limits.
struct JudgeCommand {
  std::vector<std::string> words;  ///< words[0] is a path
  /// The folders of LibTorch, or why it was not found, with the fix.
  std::variant<LibraryFolders, std::string> torch = LibraryFolders{};
  /// The only GPU that the judge, its oracle and its runners see ("GPU-…"), as their device 0; "": all.
  std::string visible_gpu = {};
  double start_limit_seconds = 120;   ///< LibTorch's libraries may come off a slow file system
  double answer_limit_seconds = 600;  ///< for one request; far above the judge's own limits
};

class JudgeProcess final : public JudgeConnection {
 public:
  explicit JudgeProcess(JudgeCommand command);
  JudgeProcess(const JudgeProcess&) = delete;  // another thread calls `stop` through a pointer
  JudgeProcess& operator=(const JudgeProcess&) = delete;
  ~JudgeProcess() override;

  protocol::Described start() override;
  protocol::FromJudge call(const protocol::ToJudge& request) override;
  void stop() override;

 private:
  void spawn();
  std::vector<std::string> environment() const;
  /// Kills what is left of the process and returns how it ended.
  std::string reap();
  /// Sends a request and waits for its answer. Throws MachineCannot, with how the judge ended.
  protocol::FromJudge exchange(const protocol::ToJudge& request, double limit_seconds);
  nlohmann::json read_within(double limit_seconds);

  JudgeCommand command_;
  std::mutex
      mutex_;  ///< guards `process_` and `stopped_`, so that `stop` never signals a pid that was reaped
  posix::ChildProcess process_;
  bool stopped_ = false;
  FileDescriptor to_judge_, from_judge_;
  protocol::FrameReader reader_;
};

}  // namespace ridgeline::agent
