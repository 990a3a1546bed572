// A real ridgeline-judge, spoken to over its pipes, and a real compiler for fixtures.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/languages/compiler.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

class JudgeProgram {
 public:
  JudgeProgram();
  JudgeProgram(const JudgeProgram&) = delete;
  JudgeProgram& operator=(const JudgeProgram&) = delete;
  ~JudgeProgram();

  protocol::FromJudge ask(const protocol::ToJudge& request);
  pid_t pid() const { return pid_; }
  /// Ends it by the end of its stream; its exit status.
  int quit();
  /// Ends it by SIGKILL.
  void kill();

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
};

/// Builds `source` for `task` as the agent would; throws what the compiler said where it fails.
std::filesystem::path build_library(const Task& task, const std::string& source);

/// Builds, judges, and marks the build as passed, as the agent does.
Verdict judge_source(JudgeProgram& judge, const Task& task, const std::string& source,
                     protocol::EvaluateSettings settings = {});

std::string read_text(const std::filesystem::path& path);

/// tests/testcases/tasks/<name>.yaml.
Task testcase_task(const std::string& name);

/// The verdict in a line and its JSON, for failure messages.
std::string shown(const Verdict& verdict);

}  // namespace ridgeline::judge
