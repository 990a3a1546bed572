// Mistyped command lines end with exit status 2, a message that helps, and nothing on stdout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/engine/cli/program.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Wrong {
  const char* name;
  std::vector<std::string> words;
  std::string says;
};

void PrintTo(const Wrong& wrong, std::ostream* out) {
  *out << wrong.name;
}

class WrongInput : public testing::TestWithParam<Wrong> {};

TEST_P(WrongInput, EndsWithTwoAndSaysWhat) {
  const auto ran = ridgeline(GetParam().words);
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().says));
  EXPECT_THAT(ran.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Cli, WrongInput,
    testing::Values(
        Wrong{"NoCommand", {}, "subcommand is required"},
        Wrong{"UnknownCommand", {"doctro"}, "did you mean \"doctor\""},
        Wrong{"UnknownFlag", {"doctor", "--no-such-flag"}, "--no-such-flag"},
        Wrong{"UnknownTask", {"evaluate", "softmx", "kernel.cpp"}, "softmax"},
        Wrong{"UnknownTaskShown", {"tasks", "show", "layer_nrm"}, "layer_norm"},
        Wrong{
            "StubOfNoLanguage", {"tasks", "show", "softmax", "--stub", "torch"}, "none of cpp, cuda, triton"},
        Wrong{"NoSource", {"evaluate", "softmax", "/no/such/kernel.cpp"}, "/no/such/kernel.cpp"},
        Wrong{"NoLanguage", {"evaluate", "softmax", "kernel.txt"}, "--language"},
        Wrong{"NeitherSourceNorBatch", {"evaluate", "softmax"}, "wants TASK and SOURCE"},
        Wrong{"CompiledKernel", {"evaluate", "softmax", "k.cpp", "--torch-compile", "default"}, "excludes"},
        Wrong{"NothingToCompile", {"evaluate", "softmax", "--torch-compile", "default"}, "have one"},
        Wrong{"UnknownMode",
              {"evaluate", "softmax", "--torch-compile", "max-autotun"},
              "did you mean \"max-autotune\""},
        Wrong{
            "UnknownLanguage", {"evaluate", "softmax", "k.cpp", "--language", "cp"}, "did you mean \"cpp\""},
        Wrong{"UnknownFormat", {"export", "a.db", "--format", "trl-sfd"}, "did you mean \"trl-sft\""},
        Wrong{"NoStore", {"show", "/no/such/store.db"}, "/no/such/store.db"},
        Wrong{"PromptOfNothing", {"show", "a.db", "--prompt", "0.0"}, "TRAJECTORY"},
        Wrong{"UnknownScore", {"compare", "a.db", "--score", "lst"}, "did you mean \"last\""}),
    [](const auto& one) { return one.param.name; });

TEST(Cli, SaysItsVersionAndItsCommands) {
  EXPECT_THAT(ridgeline({"--version"}).out, HasSubstr("ridgeline 0."));
  const auto help = ridgeline({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* command : {"run", "evaluate", "tasks", "export", "compare", "show", "serve", "doctor"})
    EXPECT_THAT(help.out, HasSubstr(command));
}

}  // namespace
}  // namespace ridgeline::cli
