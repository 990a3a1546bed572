// From compilers' logs to text: which errors are read, which are said first when room is short.
#include "prompts/compiler_digest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "prompts/diagnostics.hpp"
#include "prompts/error_digest.hpp"
#include "prompts/token_budget.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

using testing::broken_build;
using testing::failing_at;
using testing::gcc_log;
using testing::holds;
using testing::plenty;
using testing::softmax_task;

TEST(Diagnostics, AreReadFromGcc) {
  const auto all = parse_diagnostics(gcc_log);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].file, "kernel.cpp");
  EXPECT_EQ(all[0].line, 3);
  EXPECT_EQ(all[0].column, 10);
  EXPECT_EQ(all[0].severity, Severity::error);
  EXPECT_EQ(all[0].quoted, "  y[0] = expf2(x[0]);");
  EXPECT_EQ(all[0].also_at, std::vector<int>{7});
  EXPECT_EQ(all[1].severity, Severity::warning);
  EXPECT_TRUE(all[2].system);
  EXPECT_EQ(all[3].message, "required from here");
  EXPECT_EQ(all[3].severity, Severity::note);
  EXPECT_EQ(all[4].file, "");
  EXPECT_EQ(all[4].line, 0);
}

TEST(Diagnostics, AreReadFromClangWithColours) {
  const auto all = parse_diagnostics(
      "\x1b[1mkernel.cpp:14:3: \x1b[0m\x1b[0;1;31mfatal error: \x1b[0m\x1b[1m'omp.h' file not "
      "found\x1b[0m\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].line, 14);
  EXPECT_EQ(all[0].severity, Severity::error);
  EXPECT_EQ(all[0].message, "'omp.h' file not found");
}

TEST(Diagnostics, AreReadFromNvccPtxasAndTheLinker) {
  const auto all = parse_diagnostics(
      "k.cu(12): error: identifier \"foo\" is undefined\n"
      "k.cu(13): error #20-D: type is bad\n"
      "k.cu(14): warning #177-D: variable \"x\" was declared but never referenced\n"
      "ptxas error   : Entry function '_Z1kv' uses too much shared data (0x10000 bytes, 0xc000 max)\n"
      "/usr/bin/ld: /tmp/k.o: in function `kernel_softmax':\n"
      "k.cpp:(.text+0x5): undefined reference to `helper(float)'\n");
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].file, "k.cu");
  EXPECT_EQ(all[0].line, 12);
  EXPECT_EQ(all[1].line, 13);
  EXPECT_EQ(all[1].message, "type is bad");
  EXPECT_EQ(all[2].severity, Severity::warning);
  EXPECT_EQ(all[3].message.rfind("Entry function", 0), 0u);
  EXPECT_EQ(all[4].message, "undefined reference to `helper(float)'");
}

TEST(Diagnostics, AreReadFromNvccsQuotesAndFromAssembly) {
  const auto all = parse_diagnostics(
      "kernel.cu(3): error: identifier \"q\" is undefined\n"
      "  __attribute__((global)) void k(float* x) { x[0] = q; }\n"
      "                                                    ^\n"
      "\n"
      "1 error detected in the compilation of \"kernel.cu\".\n"
      "ptxas /scratch/k.ptx, line 25; error   : Not a name of any known instruction: 'bogus'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].line, 3);
  EXPECT_EQ(all[0].quoted, "") << "nvcc quotes what its preprocessor made of the line";
  EXPECT_EQ(all[1].message, "Not a name of any known instruction: 'bogus'");
  EXPECT_EQ(all[1].line, 0) << "a line of the assembly, which nobody wrote";
  EXPECT_EQ(all[2].message, "Ptx assembly aborted due to errors");
}

TEST(CompilerDigest, ErrorsWithTheirLinesAndNoPathsOfTheMachine) {
  const auto text = compiler_digest(broken_build(gcc_log), softmax_task(), "", plenty);
  EXPECT_TRUE(holds(text, "does not compile (g++ 12.2)"));
  EXPECT_TRUE(holds(text, "kernel.cpp:3:10: error: 'expf2' was not declared"));
  EXPECT_TRUE(holds(text, "    3 |   y[0] = expf2(x[0]);"));
  EXPECT_TRUE(holds(text, "the same at line 7"));
  EXPECT_FALSE(holds(text, "/tmp/"));
  EXPECT_FALSE(holds(text, "ld returned"));
}

TEST(CompilerDigest, QuotesTheSourceWhereTheCompilerDidNot) {
  const auto text = compiler_digest(broken_build("kernel.cpp:2:1: error: bad\n"), softmax_task(),
                                    "one\n  two();\nthree\n", plenty);
  EXPECT_TRUE(holds(text, "    2 |   two();"));
}

TEST(CompilerDigest, QuotesNoSourceLineForTheTextThatTheBuildAdds) {
  const auto text = compiler_digest(
      broken_build(
          "signature_check:2:52: error: static assertion failed: kernel_softmax must have the signature "
          "of the stub: void kernel_softmax(const float*)\n"),
      softmax_task(), "one\n  two();\nthree\n", plenty);
  EXPECT_TRUE(holds(text, "\nerror: kernel_softmax must have the signature of the stub")) << text;
  EXPECT_FALSE(holds(text, "signature_check")) << text;
  EXPECT_FALSE(holds(text, "two();")) << text;
}

TEST(CompilerDigest, SaysWhereAFileThatEndsTooSoonWasOpened) {
  const auto text = compiler_digest(
      broken_build(
          "kernel.cpp:3: error: the file ends inside an open brace: the '{' of line 1 is never closed\n"
          "    3 | three\nkernel.cpp:1:10: note: it is opened here\n    1 | void f() {\n"),
      softmax_task(), "void f() {\n  two();\nthree\n", plenty);
  EXPECT_TRUE(holds(text, "kernel.cpp:3: error: the file ends inside an open brace: the '{' of line 1"))
      << text;
  EXPECT_TRUE(holds(text, "note: it is opened here\n    1 | void f() {")) << text;
}

TEST(CompilerDigest, KeepsTheFirstErrorsWhenRoomIsShort) {
  std::string log = "kernel.cpp:1:1: warning: careless\nkernel.cpp:2:1: note: look here\n";
  for (int i = 0; i < 100; ++i)
    log += "kernel.cpp:" + std::to_string(10 + i) + ":1: error: problem " + std::to_string(i) + "\n";
  const auto text = compiler_digest(broken_build(log), softmax_task(), "", 60);
  EXPECT_LE(estimate_tokens(text), 60);
  EXPECT_TRUE(holds(text, "problem 0"));
  EXPECT_FALSE(holds(text, "careless"));
  EXPECT_FALSE(holds(text, "look here"));
  EXPECT_TRUE(holds(text, "more left out"));
}

TEST(CompilerDigest, OtherReasonsAndLogsThatAreNotUnderstood) {
  const auto missing =
      failing_at(Stage::build, Reason::missing_entry_point, "kernel_softmax is not in the library");
  EXPECT_TRUE(
      holds(compiler_digest(missing, softmax_task(), "", plenty), "kernel_softmax is not in the library"));
  const auto text = compiler_digest(broken_build("Killed\n\xFF\xFE\n"), softmax_task(), "", plenty);
  EXPECT_TRUE(holds(text, "    Killed"));
}

TEST(CompilerDigest, KeepsItsBudgetOnHugeLogs) {
  std::string log(1 << 20, '\xFF');
  for (int i = 0; i < 2000; ++i) log += "\na/b.cpp:" + std::to_string(i) + ": error: m" + std::to_string(i);
  EXPECT_LE(estimate_tokens(compiler_digest(broken_build(log), softmax_task(), log, 500)), 500);
}

}  // namespace
}  // namespace ridgeline::prompts
