// A `ridgeline-judge` as a child process: its own process group, a clean environment, dead when this thread
// is.
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

struct JudgeCommand {
  std::vector<std::string> words;  ///< words[0] is a path
  /// Where LibTorch is, or why it is not, with the fix.
  std::variant<LibraryFolders, std::string> torch = LibraryFolders{};
  double start_limit_seconds = 120;   ///< LibTorch's libraries may come off a slow file system
  double answer_limit_seconds = 600;  ///< of one request; the judge's own limits are far below
};

class JudgeProcess final : public JudgeSeat {
 public:
  explicit JudgeProcess(JudgeCommand command);
  JudgeProcess(const JudgeProcess&) = delete;  // `stop` finds it by address
  JudgeProcess& operator=(const JudgeProcess&) = delete;
  ~JudgeProcess() override;

  protocol::Described start() override;
  protocol::FromJudge ask(const protocol::ToJudge& request) override;
  void stop() override;

 private:
  void spawn();
  /// Kills what is left of it and says how it ended.
  std::string reap();
  protocol::FromJudge exchange(const protocol::ToJudge& request, double limit_seconds);
  nlohmann::json read_within(double limit_seconds);

  JudgeCommand command_;
  std::mutex mutex_;  ///< of `process_` and `stopped_`, so that `stop` never signals a pid that was reaped
  posix::ChildProcess process_;
  bool stopped_ = false;
  FileDescriptor to_judge_, from_judge_;
  protocol::FrameReader reader_;
};

}  // namespace ridgeline::agent
