// Which reason a compiler's end stands for; no compiler runs.
#include "engine/worker/languages/build_result.hpp"

#include <csignal>

#include "languages_test.hpp"

namespace ridgeline::languages {
namespace {

BuildFailure classified(sandbox::Ending ending, std::string log, double cpu = 0,
                        Language language = Language::cpp) {
  sandbox::ConfinedExit exit;
  exit.ending = ending;
  exit.code = 1;
  exit.cpu_seconds = cpu;
  exit.err = std::move(log);
  return classify_build(exit, default_build_limits(), scaled_sum(), language);
}

TEST(ClassifyBuild, LimitsOfTheSandbox) {
  EXPECT_EQ(classified(sandbox::Ending::wall_limit, "").reason, Reason::build_timeout);
  EXPECT_EQ(classified(sandbox::Ending::cpu_limit, "").reason, Reason::build_timeout);
  EXPECT_EQ(classified(sandbox::Ending::memory_limit, "").reason, Reason::build_limits);
  EXPECT_EQ(classified(sandbox::Ending::output_limit, "").reason, Reason::build_limits);
  EXPECT_EQ(classified(sandbox::Ending::idle_limit, "").reason, Reason::build_timeout);
}

TEST(ClassifyBuild, WordsOfTheDriver) {
  const std::string killed = "g++: fatal error: Killed signal terminated program cc1plus\n";
  EXPECT_EQ(classified(sandbox::Ending::exited, killed, 19.9).reason, Reason::build_timeout);
  EXPECT_EQ(classified(sandbox::Ending::exited, killed, 1).reason, Reason::build_limits);
  EXPECT_EQ(classified(sandbox::Ending::exited, "cc1plus: out of memory allocating 65536 bytes\n").reason,
            Reason::build_limits);
}

TEST(ClassifyBuild, MissingEntryPointOnlyIfNothingElseIsWrong) {
  const std::string missing = "signature_check:12:30: error: '::kernel_scaled_sum' has not been declared\n";
  EXPECT_EQ(classified(sandbox::Ending::exited, missing).reason, Reason::missing_entry_point);
  EXPECT_EQ(classified(sandbox::Ending::exited, "kernel.cpp:3:1: error: expected '}'\n" + missing).reason,
            Reason::compile_error);
  EXPECT_EQ(classified(sandbox::Ending::exited, "undefined reference to `kernel_scaled_sum'\n").reason,
            Reason::missing_entry_point);
  EXPECT_EQ(
      classified(sandbox::Ending::exited, "undefined reference to `kernel_scaled_sum_workspace'\n").reason,
      Reason::compile_error);
  const std::string gold = "kernel.o:kernel.cpp:function kernel_scaled_sum: error: undefined reference to ";
  EXPECT_EQ(classified(sandbox::Ending::exited, gold + "'elsewhere()'\n").reason, Reason::compile_error)
      << "told of the entry point, which is there";
  EXPECT_EQ(classified(sandbox::Ending::exited, gold + "'kernel_scaled_sum'\n").reason,
            Reason::missing_entry_point);
}

TEST(ClassifyBuild, DetailIsTheFirstError) {
  const auto failure =
      classified(sandbox::Ending::exited,
                 "kernel.cpp:1:1: warning: x\nkernel.cpp:2:5: error: y\nkernel.cpp:3:5: error: z\n");
  EXPECT_EQ(failure.detail, "kernel.cpp:2:5: error: y");
}

BuildFailure of_nvcc(std::string log, double cpu = 0) {
  return classified(sandbox::Ending::exited, std::move(log), cpu, Language::cuda);
}

TEST(ClassifyBuild, TheFirstOfNvccsErrorsIsTheDetail) {
  EXPECT_EQ(of_nvcc("kernel.cu(2): warning #177-D: variable \"n\" was declared but never referenced\n"
                    "kernel.cu(12): error: identifier \"x\" is undefined\n")
                .detail,
            "kernel.cu(12): error: identifier \"x\" is undefined");
  const std::string shared =
      "ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x400000 bytes, 0xc000 max)";
  EXPECT_EQ(of_nvcc(shared + "\n").detail, shared);
  EXPECT_EQ(of_nvcc("ptxas /t/k.ptx, line 25; error   : Unknown symbol '%r1'\n"
                    "ptxas fatal   : Ptx assembly aborted due to errors\n")
                .detail,
            "ptxas /t/k.ptx, line 25; error   : Unknown symbol '%r1'");
}

TEST(ClassifyBuild, ReadsAMissingEntryPointFromNvccsLog) {
  const std::string missing = "signature_check(13): error: the global scope has no \"kernel_scaled_sum\"\n";
  EXPECT_EQ(of_nvcc(missing).reason, Reason::missing_entry_point);
  EXPECT_EQ(of_nvcc("kernel.cu(3): error: expected a \";\"\n" + missing).reason, Reason::compile_error);
}

TEST(ClassifyBuild, ReadsFromNvccsLogThatAPartWasKilled) {
  const std::string killed = "nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n";
  EXPECT_EQ(of_nvcc(killed, 19.9).reason, Reason::build_timeout);
  EXPECT_EQ(of_nvcc(killed, 1).reason, Reason::build_limits);
  EXPECT_EQ(of_nvcc("nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)\n").reason,
            Reason::compile_error);
}

}  // namespace
}  // namespace ridgeline::languages
