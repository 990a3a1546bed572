// Real held front ends, of a header of a line, in their sandboxes.
#include "engine/worker/languages/torch_extension/front_ends/held_process.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>
#include <thread>

#include "engine/worker/languages/toolchain.hpp"

namespace ridgeline::front_ends {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class HeldProcesses : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "held-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    write("held.cpp", "#define HELD 7\nint held;\n#include \"ridgeline-answer\"\n");
    write("beside.h", "int beside;\n");
    fs::create_directory(folder_ / "open");
    write("open/header.h", "int header = HELD;\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const char* name, const char* text) const { std::ofstream(folder_ / name) << text; }

  HeldPlan plan(const char* source = "held.cpp") const {
    const auto isolation = sandbox::best_level(sandbox::probe_isolation());
    const auto host = languages::find_toolchain(isolation, {"g++"}).value();
    HeldPlan plan;
    plan.words = {host.program, "-E", source};
    plan.policy = languages::compiler_policy(host, isolation, "");
    plan.policy.read(folder_.string()).in(folder_.string());
    plan.readable = {"/usr", "/lib", "/lib64", (folder_ / "open").string()};
    plan.library = RIDGELINE_BIN_DIR "/libridgeline-held.so";
    plan.variables = {{"RIDGELINE_HOLD_AT", "ridgeline-answer"}, {"RIDGELINE_QUOTED", "answer.cpp"}};
    plan.stop = &stop_;
    return plan;
  }

  fs::path folder_;
  std::atomic<bool> stop_ = false;
};

TEST_F(HeldProcesses, ReadEachSourceBehindWhatIsHeld) {
  HeldProcess process(plan());
  ASSERT_EQ(process.await(60), "");
  const auto said = process.ask("#define OWN 1\nint x = HELD;\n");
  EXPECT_EQ(said.end, Said::End::passed);
  EXPECT_THAT(said.output, HasSubstr("int x = 7;"));
  EXPECT_THAT(said.output, Not(HasSubstr("int held;"))) << "that was written before";
  EXPECT_THAT(process.ask("int y = OWN;\n").output, HasSubstr("int y = OWN;")) << "sources do not meet";
  EXPECT_TRUE(process.look());
}

TEST_F(HeldProcesses, TellErrorsWithTheSourcesLines) {
  HeldProcess process(plan());
  ASSERT_EQ(process.await(60), "");
  const auto said = process.ask("#line 2 \"answer.cpp\"\n#include <no_such_header.h>\n");
  EXPECT_EQ(said.end, Said::End::failed);
  EXPECT_THAT(said.messages, HasSubstr("answer.cpp:2:10: fatal error: no_such_header.h"));
  EXPECT_THAT(said.messages, HasSubstr("2 | #include <no_such_header.h>"));
}

TEST_F(HeldProcesses, AChildReadsLessThanTheProcess) {
  HeldProcess process(plan());
  ASSERT_EQ(process.await(60), "");
  EXPECT_THAT(process.ask("#include \"open/header.h\"\n").output, HasSubstr("int header = 7;"));
  const auto said = process.ask("#include \"beside.h\"\n");
  EXPECT_EQ(said.end, Said::End::failed);
  EXPECT_THAT(said.output, Not(HasSubstr("int beside;")));
}

TEST_F(HeldProcesses, ASourceThatIncludesItselfEnds) {
  HeldProcess process(plan());
  ASSERT_EQ(process.await(60), "");
  EXPECT_EQ(process.ask("#include \"ridgeline-answer\"\n").end, Said::End::failed);
  EXPECT_EQ(process.ask("int x;\n").end, Said::End::passed) << "the process itself goes on";
}

TEST_F(HeldProcesses, AnswerManyAtOnce) {
  HeldProcess process(plan());
  ASSERT_EQ(process.await(60), "");
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      const auto name = "own" + std::to_string(i);
      for (int k = 0; k < 5; ++k)
        if (process.ask("int " + name + " = HELD;\n").output.find(name + " = 7;") != std::string::npos)
          ++right;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

TEST_F(HeldProcesses, OneThatWasEndedSaysNothing) {
  HeldProcess process(plan());
  ASSERT_EQ(process.await(60), "");
  process.end();
  EXPECT_FALSE(process.look());
  const auto said = process.ask("int x;\n");
  EXPECT_EQ(said.end, Said::End::unknown);
  EXPECT_EQ(said.why, "the front end has ended");
}

TEST_F(HeldProcesses, OneThatIsNotHeldSaysWhy) {
  write("wrong.cpp", "#error nothing to hold\n");
  HeldProcess process(plan("wrong.cpp"));
  EXPECT_THAT(process.await(60), HasSubstr("#error nothing to hold"));
}

TEST_F(HeldProcesses, NobodyWaitsForOneThatIsNotWanted) {
  HeldProcess process(plan());
  stop_ = true;
  EXPECT_NE(process.await(60), "");
}

}  // namespace
}  // namespace ridgeline::front_ends
