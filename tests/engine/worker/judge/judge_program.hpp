// A real ridgeline-judge, spoken to over its pipes.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

class JudgeProgram {
 public:
  /// `python`: as the agent tells it; "" for none.
  explicit JudgeProgram(const std::string& device = "cpu:0", const std::string& python = "");
  JudgeProgram(const JudgeProgram&) = delete;
  JudgeProgram& operator=(const JudgeProgram&) = delete;
  ~JudgeProgram();

  /// Throws where the judge ends before it answers, or is silent for ten minutes, as the agent would find.
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

/// Builds and judges, as the agent does; a verdict also where the build fails. Throws where the judge
/// refuses.
Verdict judge_candidate(JudgeProgram& judge, const Task& task, const Candidate& candidate,
                        protocol::EvaluateSettings settings = {});

/// The same of a `cpp` source.
Verdict judge_source(JudgeProgram& judge, const Task& task, const std::string& source,
                     protocol::EvaluateSettings settings = {});

std::string read_text(const std::filesystem::path& path);

/// tests/testcases/tasks/<name>.yaml.
Task testcase_task(const std::string& name);

/// The verdict in a line and its JSON, for failure messages.
std::string shown(const Verdict& verdict);

}  // namespace ridgeline::judge
