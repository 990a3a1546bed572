#include "engine/worker/languages/flags/cuda_flags.hpp"

#include <gmock/gmock.h>

#include "engine/worker/languages/flags/cpp_flags.hpp"
#include "engine/worker/languages/flags/forbidden_flag.hpp"

namespace ridgeline::languages {
namespace {

using testing::ElementsAre;

TEST(CudaFlags, AllowListedOnly) {
  EXPECT_FALSE(first_forbidden_cuda(default_cuda_flags()));
  EXPECT_FALSE(first_forbidden_cuda({"-arch=sm_90a", "--use_fast_math", "-O3", "-maxrregcount=64",
                                     "-std=c++20", "-DTILE=64", "-lineinfo", "-Xptxas", "-O3,-v,-dlcm=ca",
                                     "--extra-device-vectorization", "-fmad=false",
                                     "-gencode=arch=compute_90a,code=sm_90a", "-Xptxas=-dlcm=cg"}));
  EXPECT_FALSE(first_forbidden_cuda({"-rdc=true", "--relocatable-device-code", "false", "--std", "c++11",
                                     "-O", "2", "--maxrregcount", "64", "-Xptxas=-warn-spills,--opt-level=3",
                                     "-Xptxas", "--register-usage-level=5", "--default-stream=per-thread"}));
  EXPECT_FALSE(first_forbidden_cuda({"-arch=native", "-arch=all-major", "-arch=compute_90", "-code=sm_90",
                                     "-gencode=arch=compute_90,code=compute_90",
                                     "-gencode=arch=compute_80,code=[sm_80,compute_80]", "-gencode",
                                     "arch=compute_80,code=\"sm_80,sm_86\""}));
  for (const char* flag : {"-Xcompiler=-fplugin=x.so",
                           "-I/root",
                           "--options-file=x",
                           "-ccbin=/tmp/x",
                           "-Xptxas=-v,@file",
                           "-Xptxas=--sp-bounds-check",
                           "-Xlinker=-rpath",
                           "-include",
                           "x.o",
                           "-lcublas",
                           "-keep",
                           "-D",
                           "-DX=a/b",
                           "-maxrregcount=",
                           "--run",
                           "-ptx",
                           "-O4",
                           "",
                           "-std=c++17,x",
                           "--compiler-bindir=/tmp",
                           "-Xptxas",
                           "-fmad=maybe",
                           "-rdc=maybe",
                           "-arch=sm_9",
                           "-arch=sm_90,x",
                           "-gencode=arch=compute_80,code=sm_80,@file",
                           "-gencode=arch=sm_80,code=sm_80",
                           "-Xptxas=--register-usage-level=",
                           "-dlto",
                           "-odir=/"})
    EXPECT_EQ(first_forbidden_cuda({"-O2", flag}), flag);
}

TEST(ForbiddenFlag, IsOneThatIsTooLongToBeReadByAnExpression) {
  const auto macro = [](std::size_t bytes) { return "-D" + std::string(bytes - 2, 'x'); };
  for (const auto language : {Language::cpp, Language::cuda}) {
    EXPECT_EQ(first_forbidden(language, {macro(longest_flag)}), std::nullopt);
    EXPECT_EQ(first_forbidden(language, {macro(longest_flag + 1)}), macro(longest_flag + 1));
    EXPECT_EQ(first_forbidden(language, {macro(1'000'000)}), macro(1'000'000));
  }
}

TEST(ForbiddenFlag, ALanguageWithoutARuleTakesNoFlag) {
  for (const auto language : {Language::torch, Language::triton}) {
    EXPECT_EQ(first_forbidden(language, {}), std::nullopt);
    EXPECT_EQ(first_forbidden(language, {"-O3"}), "-O3");
  }
  EXPECT_EQ(first_forbidden(Language::cpp, {"-O3"}), std::nullopt);
  EXPECT_EQ(first_forbidden(Language::cuda, {"-O3", "-I/root"}), "-I/root");
}

TEST(CudaFlags, AValueMayStandInTheNextElement) {
  EXPECT_THAT(with_values_joined({"-arch", "sm_90a", "-D", "X=1", "-O3", "-Xptxas"}),
              ElementsAre("-arch=sm_90a", "-DX=1", "-O3", "-Xptxas"));
  EXPECT_EQ(first_forbidden_cuda({"-Xptxas", "-o,/etc/x"}), "-Xptxas=-o,/etc/x");
}

TEST(CudaFlags, TheArchitectureIsAddedWhereNoneIsNamed) {
  EXPECT_THAT(with_architecture({"-O3"}, "sm_100"), ElementsAre("-O3", "-arch=sm_100"));
  EXPECT_THAT(with_architecture({"-arch", "sm_90a"}, "sm_100"), ElementsAre("-arch=sm_90a"));
}

TEST(CudaFlags, NvccIsAskedForMachineCodeWithoutPtx) {
  EXPECT_THAT(for_nvcc({"-O3", "-arch=sm_90a"}), ElementsAre("-O3", "-gencode=arch=compute_90a,code=sm_90a"));
}

}  // namespace
}  // namespace ridgeline::languages
