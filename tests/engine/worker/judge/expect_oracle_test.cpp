// A judge starts the oracle and two interpreters once modules are announced.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/linear_task.hpp"

namespace ridgeline::judge {
namespace {

std::string as_told() {
  const auto python = tests_python();
  nlohmann::json told = {{"program", python.program.string()}, {"torch_version", python.torch_version}};
  for (const auto& folder : python.folders) told["folders"].push_back(folder.string());
  return told.dump();
}

/// Counts the children of process `pid`. Its main thread starts them all, so that thread's list is enough.
int children_of(pid_t pid) {
  const auto number = std::to_string(pid);
  std::ifstream list("/proc/" + number + "/task/" + number + "/children");
  int count = 0;
  for (int child = 0; list >> child;) ++count;
  return count;
}

TEST(OracleExpectation, TheOracleAndTwoInterpretersBeginBesideWhatWasThere) {
  JudgeProgram judge("cpu:0", as_told());
  judge.ask(protocol::Describe{"d"});  // it has started what it keeps for any candidate
  for (int i = 0; i < 100 && children_of(judge.pid()) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const int before = children_of(judge.pid());
  const auto answer = judge.ask(protocol::ExpectModules{"m", "cpu"});
  EXPECT_TRUE(std::holds_alternative<protocol::Prepared>(answer));
  EXPECT_EQ(children_of(judge.pid()), before + 3);
  judge.ask(protocol::ExpectModules{"again", "cpu"});
  EXPECT_EQ(children_of(judge.pid()), before + 3) << "they are there";
}

}  // namespace
}  // namespace ridgeline::judge
