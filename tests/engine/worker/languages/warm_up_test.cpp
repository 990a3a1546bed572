// The precompiled header: it must change nothing but the time.
#include "languages_test.hpp"

namespace ridgeline::languages {
namespace {

class WarmedUp : public Languages {
 protected:
  static void SetUpTestSuite() {
    Languages::SetUpTestSuite();
    warm_ = compiler_ && compiler_->warm_up(flags());
  }
  static std::vector<std::string> flags() { return {"-std=gnu++20", "-O2"}; }
  static inline bool warm_ = false;
};

TEST_F(WarmedUp, GccTakesOneAndKeepsIt) {
  EXPECT_EQ(warm_, compiler_->toolchain().family == Toolchain::Family::gcc);
  EXPECT_EQ(compiler_->warm_up(flags()), warm_);
}

TEST_F(WarmedUp, HonestKernelIsBuilt) {
  Loaded library{
      good(build("#include <immintrin.h>\n#include <vector>\n" + honest_source(), scaled_sum(), flags()))};
  float a = 1, b = 2, out = 0;
  library.call({&a, &b, &out}, {1, 1}, {1}, {0, 0});
  EXPECT_EQ(out, 3);
}

TEST_F(WarmedUp, NameThatOnlyTheHeaderTakesIsStillFree) {
  // math.h declares y1 and j1 as functions; this source includes <cstdio>, which the header holds, alone.
  good(build("#include <cstdio>\nfloat y1 = 1, j1 = 2;\n" + honest_source(), scaled_sum(), flags()));
}

TEST_F(WarmedUp, CompileErrorsNameTheCandidatesLines) {
  const auto failure = bad(build(honest_source() + "int broken = undeclared_name;\n", scaled_sum(), flags()));
  EXPECT_TRUE(failure.detail.starts_with("kernel.cpp:7:14: error: ")) << failure.detail;
}

TEST_F(WarmedUp, ForbiddenFlagsAreNotUsed) {
  EXPECT_FALSE(compiler_->warm_up({"-fplugin=x"}));
}

}  // namespace
}  // namespace ridgeline::languages
