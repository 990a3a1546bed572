#include "engine/worker/languages/torch_extension/source_text.hpp"

#include <gmock/gmock.h>

namespace ridgeline::torch_extension {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SourceText, CommentsAndLiteralsAreBlankAndLinesStay) {
  EXPECT_EQ(without_comments_and_literals("a // b\nc /* d\n */ e \"f\\\"g\" 'h' 1'000"),
            "a     \nc     \n    e \"    \" ' ' 1'000");
  EXPECT_EQ(without_comments_and_literals("/* no end"), "         ");
}

TEST(SourceText, ThePreludeHasTheHeadersOfWhatIsNamed) {
  EXPECT_EQ(slim_prelude("float f(float x) { return fmaxf(x, FLT_MAX) + std::sqrt(x); }"), "");
  EXPECT_EQ(slim_prelude("std::vector<std::string> a; std::tuple<int, int> b;"),
            "#include <string>\n#include <tuple>\n#include <vector>\n");
  EXPECT_EQ(slim_prelude("// std::vector\nauto sizes = x.sizes().vec();"), "#include <vector>\n");
  EXPECT_EQ(slim_prelude("throw std::runtime_error(\"std::map\");"), "#include <stdexcept>\n");
  EXPECT_EQ(slim_prelude("c10::optional<torch::Tensor> bias"), "#include <optional>\n");
}

TEST(SourceText, AnUnknownNameBringsAllHeaders) {
  for (const char* source : {"std::unheard_of x;", "using namespace std;"}) {
    EXPECT_THAT(slim_prelude(source), HasSubstr("#include <unordered_map>"));
    EXPECT_THAT(slim_prelude(source), HasSubstr("#include <random>"));
  }
}

TEST(SourceText, HeadersThatASourceIncludesComeFirst) {
  EXPECT_EQ(slim_prelude("#include <torch/extension.h>\n#include <optional>\n"), "#include <optional>\n");
}

TEST(SourceText, CudasTypesBringTheirHeaders) {
  EXPECT_EQ(slim_prelude("__half a; float b = __half2float(a);"), "#include <cuda_fp16.h>\n");
  EXPECT_EQ(slim_prelude("int half_size = n / 2;"), "");
  EXPECT_EQ(slim_prelude("__nv_bfloat16 a;"), "#include <cuda_bf16.h>\n");
  EXPECT_THAT(slim_prelude("cublasHandle_t h;"), HasSubstr("#include <cublas_v2.h>"));
  EXPECT_THAT(slim_prelude("#include <mma.h>"), HasSubstr("#include <cuda_fp16.h>"));
}

TEST(SourceText, ExportsNeedTheirHeader) {
  const std::string exported = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}";
  EXPECT_TRUE(exports_without_its_header(exported));
  EXPECT_FALSE(exports_without_its_header("#include <torch/extension.h>\n" + exported));
  EXPECT_FALSE(exports_without_its_header("// " + exported));
}

/// Each once took the stack of the worker, a frame or two for each character.
TEST(SourceText, SourcesMayBeOfAnyLength) {
  const std::string blanks(1'000'000, ' '), word(1'000'000, 'a'), lines(1'000'000, '\n');
  EXPECT_EQ(slim_prelude("std::vector<int> a;" + blanks + "x" + blanks + ".vec()"), "#include <vector>\n");
  EXPECT_THAT(slim_prelude("std::" + word), HasSubstr("#include <random>")) << "an unknown name";
  EXPECT_EQ(slim_prelude("bfloat162" + blanks + word), "#include <cuda_bf16.h>\n");
  EXPECT_TRUE(only_declares(blanks + "int a;" + lines));
  EXPECT_FALSE(only_declares("// " + word + "\n#define a")) << "the line's end is kept";
  EXPECT_FALSE(only_declares("int a;" + lines + blanks + "#define a"));
  EXPECT_FALSE(exports_without_its_header(blanks + word));
}

}  // namespace
}  // namespace ridgeline::torch_extension
