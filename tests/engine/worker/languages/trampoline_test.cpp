#include "engine/worker/languages/trampoline.hpp"

#include "engine/worker/languages/prelude.hpp"
#include "languages_test.hpp"

namespace ridgeline::languages {
namespace {

TEST(Trampoline, DefinesTheCallInterface) {
  const auto text = trampoline_source(scaled_sum(), Language::cpp);
  EXPECT_NE(text.find(std::string{"extern \"C\" int "} + kCallSymbol), std::string::npos);
  EXPECT_NE(text.find(std::string{"extern \"C\" size_t "} + kWorkspaceSymbol), std::string::npos);
}

TEST(Trampoline, HandsArgumentsInTheOrderOfTheStub) {
  const auto text = trampoline_source(scaled_sum(), Language::cpp);
  EXPECT_NE(
      text.find("static_cast<const float*>(tensors[0]), static_cast<const float*>(tensors[1]), "
                "static_cast<float*>(tensors[2]), sizes[0], sizes[1], float_scalars[0], int_scalars[0], "
                "int_scalars[1] != 0, stream"),
      std::string::npos)
      << text;
}

TEST(Trampoline, DependsOnTheTaskAlone) {
  EXPECT_EQ(trampoline_source(scaled_sum(), Language::cpp), trampoline_source(scaled_sum(), Language::cpp));
  EXPECT_NE(trampoline_source(scaled_sum(), Language::cpp),
            trampoline_source(scaled_sum("other"), Language::cpp));
}

TEST(Trampoline, ReportsTheErrorOfACudaLaunchAndItsText) {
  Task task;
  task.name = "half";
  Tensor x;
  x.name = "x";
  x.dtype = DType::float16;
  task.parameters = {x};
  const auto text = trampoline_source(task, Language::cuda);
  EXPECT_NE(text.find("static_cast<const __half*>(tensors[0])"), std::string::npos) << text;
  EXPECT_NE(text.find("return cudaGetLastError();"), std::string::npos);
  EXPECT_NE(text.find(std::string{"extern \"C\" const char* "} + kErrorTextSymbol), std::string::npos);
  EXPECT_EQ(trampoline_source(task, Language::cpp).find("cuda"), std::string::npos);
}

TEST(SignatureCheck, LeavesTheCandidatesLinesInPlace) {
  const auto text = with_signature_check(scaled_sum(), Language::cpp, "first\nsecond");
  EXPECT_EQ(text.find("first\nsecond\n#line 1 \"signature_check\""), 0u);
}

TEST(Prelude, IsUsedForHeadersThatAreSlowToRead) {
  EXPECT_FALSE(gains_from_prelude("#include <cstdint>\n#include \"algorithm\"\nint x;"));
  EXPECT_TRUE(gains_from_prelude("#include <cstdint>\n#include  <immintrin.h>\n"));
  EXPECT_FALSE(gains_from_prelude("#include <unfinished"));
  EXPECT_FALSE(gains_from_prelude(""));
}

TEST(Flags, AllowListedOnly) {
  EXPECT_FALSE(first_forbidden(default_flags()));
  EXPECT_FALSE(first_forbidden({"-Ofast", "-mavx2", "-mfma", "-DTILE=64", "-ffast-math", "-std=c++17"}));
  for (const char* flag :
       {"-fplugin=x.so", "@file", "-I/root", "-include", "-B/tmp", "-specs=x", "-Wl,-rpath,/", "x.o",
        "-l:evil.so", "-D", "-march=", "-DX=a/b", "-std=c++20,x", "--sysroot=/", "", "-fsanitize=address"})
    EXPECT_EQ(first_forbidden({"-O2", flag}), flag);
}

}  // namespace
}  // namespace ridgeline::languages
