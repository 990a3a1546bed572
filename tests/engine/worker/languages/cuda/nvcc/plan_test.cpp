#include "engine/worker/languages/cuda/nvcc/plan.hpp"

#include <gmock/gmock.h>

#include "dryrun.hpp"

namespace ridgeline::nvcc {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::Pair;

TEST(NvccPlan, StepsOfOneArchitectureAsWords) {
  const auto plan = parse_dryrun(kDryrun, "/cache/scratch-a1B2c3");
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->environment, Contains(Pair("CICC_PATH", "/toolkit/bin/../nvvm/bin")));
  EXPECT_THAT(plan->environment, Contains(Pair("PATH", "/toolkit/bin:/usr/bin:/bin")));
  EXPECT_THAT(plan->environment, Not(Contains(Pair("INCLUDES", testing::_))));
  EXPECT_EQ(plan->cicc[0], "/toolkit/bin/../nvvm/bin/cicc") << "variables are put in";
  EXPECT_EQ(plan->expand_host[0], "/usr/bin/g++") << "quotes inside a word";
  EXPECT_THAT(plan->fatbinary, Contains("--cmdline=-v  --generate-line-info ")) << "and around blanks";
  EXPECT_THAT(plan->ptxas, ElementsAre("ptxas", "-arch=sm_90", "-m64", "-v", "--generate-line-info",
                                       "kernel.ptx", "-o", "kernel.cubin"));
  EXPECT_THAT(plan->link, Contains("defs"));
}

TEST(NvccPlan, ServesAnyFolderAndAnyModuleId) {
  const auto plan = parse_dryrun(kDryrun, "/cache/scratch-a1B2c3");
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->cudafe, Contains("{folder}/kernel.cu"));
  EXPECT_THAT(plan->cudafe, Not(Contains("--gen_module_id_file")));
  EXPECT_THAT(plan->cudafe, Contains("kernel.module_id"));
  EXPECT_EQ(plan, parse_dryrun(replaced(kDryrun, "scratch-a1B2c3", "scratch-Z"), "/cache/scratch-Z"));
}

TEST(NvccPlan, LeavesToNvccWhateverIsNotKnown) {
  const auto parsed = [](const std::string& what, const std::string& with) {
    return parse_dryrun(replaced(kDryrun, what, with), "/cache/scratch-a1B2c3").has_value();
  };
  ASSERT_TRUE(parsed("ptxas", "ptxas"));
  EXPECT_FALSE(parse_dryrun("", "/"));
  const std::string text = kDryrun;
  EXPECT_FALSE(parse_dryrun("nvcc warning : old architectures\n" + text, "/")) << "said by nvcc itself";
  EXPECT_FALSE(parse_dryrun(text + "#$ ptxas -arch=sm_80 \"kernel.ptx\" -o \"kernel.sm_80.cubin\" \n", "/"))
      << "a step more";
  EXPECT_FALSE(parsed("--gen_module_id_file", ""));
  EXPECT_FALSE(parsed("kernel.cudafe1.stub.c", "other.stub.c"));
  EXPECT_FALSE(parsed("--embedded-fatbin=\"kernel.fatbin.c\"", ""));
  EXPECT_FALSE(parsed("\"trampoline.o\"", ""));
  EXPECT_FALSE(parsed("-include \"cuda_runtime.h\"", ""));
  EXPECT_FALSE(parsed("$CICC_PATH", "$OTHER_PATH")) << "a variable that was not set";
  for (const char* shell : {"`id`", "$(id)", "; id", "| id", "> out", "& id", "\\", "'a'", "\""})
    EXPECT_FALSE(parsed("-m64 -v", std::string{"-m64 "} + shell + " -v")) << shell;
}

}  // namespace
}  // namespace ridgeline::nvcc
