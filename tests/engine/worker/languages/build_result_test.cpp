// Which reason a compiler's end stands for; no compiler runs.
#include "engine/worker/languages/build_result.hpp"

#include <csignal>

#include "languages_test.hpp"

namespace ridgeline {
namespace {

BuildFailure classified(Ending ending, std::string log, double cpu = 0) {
  Outcome outcome;
  outcome.ending = ending;
  outcome.code = 1;
  outcome.cpu_seconds = cpu;
  outcome.err = std::move(log);
  return classify_build(outcome, default_build_limits(), scaled_sum());
}

TEST(ClassifyBuild, LimitsOfTheSandbox) {
  EXPECT_EQ(classified(Ending::wall_limit, "").reason, Reason::build_timeout);
  EXPECT_EQ(classified(Ending::cpu_limit, "").reason, Reason::build_timeout);
  EXPECT_EQ(classified(Ending::memory_limit, "").reason, Reason::build_limits);
  EXPECT_EQ(classified(Ending::output_limit, "").reason, Reason::build_limits);
}

TEST(ClassifyBuild, WordsOfTheDriver) {
  const std::string killed = "g++: fatal error: Killed signal terminated program cc1plus\n";
  EXPECT_EQ(classified(Ending::exited, killed, 19.9).reason, Reason::build_timeout);
  EXPECT_EQ(classified(Ending::exited, killed, 1).reason, Reason::build_limits);
  EXPECT_EQ(classified(Ending::exited, "cc1plus: out of memory allocating 65536 bytes\n").reason,
            Reason::build_limits);
}

TEST(ClassifyBuild, MissingEntryPointOnlyIfNothingElseIsWrong) {
  const std::string missing = "signature_check:12:30: error: '::kernel_scaled_sum' has not been declared\n";
  EXPECT_EQ(classified(Ending::exited, missing).reason, Reason::missing_entry_point);
  EXPECT_EQ(classified(Ending::exited, "kernel.cpp:3:1: error: expected '}'\n" + missing).reason,
            Reason::compile_error);
  EXPECT_EQ(classified(Ending::exited, "undefined reference to `kernel_scaled_sum'\n").reason,
            Reason::missing_entry_point);
  EXPECT_EQ(classified(Ending::exited, "undefined reference to `kernel_scaled_sum_workspace'\n").reason,
            Reason::compile_error);
}

TEST(ClassifyBuild, DetailIsTheFirstError) {
  const auto failure = classified(
      Ending::exited, "kernel.cpp:1:1: warning: x\nkernel.cpp:2:5: error: y\nkernel.cpp:3:5: error: z\n");
  EXPECT_EQ(failure.detail, "kernel.cpp:2:5: error: y");
}

}  // namespace
}  // namespace ridgeline
