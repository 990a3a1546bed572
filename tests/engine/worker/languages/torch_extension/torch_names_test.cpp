#include "engine/worker/languages/torch_extension/torch_names.hpp"

#include <gtest/gtest.h>

namespace ridgeline::torch_extension {
namespace {

TEST(TorchNames, AMissingNameIsReadFromEachCompilersWords) {
  EXPECT_EQ(missing_name("main.cpp:3:7: error: 'on' was not declared in this scope; did you mean 'yn'?"),
            "on");
  EXPECT_EQ(missing_name("main.cpp:3:7: error: 'class at::Tensor' has no member named 'sise'"), "sise");
  EXPECT_EQ(missing_name("main.cpp:3:7: error: 'Tensr' does not name a type"), "Tensr");
  EXPECT_EQ(missing_name("main.cpp:3:7: error: 'conv9d' is not a member of 'torch'"), "conv9d");
  EXPECT_EQ(missing_name("cuda.cu(7): error: identifier \"blockIdxx\" is undefined"), "blockIdxx");
  EXPECT_EQ(missing_name("cuda.cu(7): error: class \"at::Tensor\" has no member \"sise\""), "sise");
  EXPECT_EQ(missing_name("cuda.cu(7): error: namespace \"torch\" has no member \"conv9d\""), "conv9d");
}

TEST(TorchNames, AnErrorMayBeOfAnyLength) {
  const std::string word(1'000'000, 'a');
  EXPECT_EQ(missing_name("main.cpp:3:7: error: '" + word + "' was not declared in this scope"), std::nullopt);
  EXPECT_EQ(missing_name("main.cpp:3:7: error: 'on' was not declared in this scope; " + word), "on");
}

TEST(TorchNames, OtherErrorsMissNoName) {
  for (const char* error :
       {"main.cpp:3:7: error: expected ';' before '}' token",
        "main.cpp:3:7: error: 'iota' is not a member of 'std'",
        "cuda.cu(7): error: namespace \"std\" has no member \"iota\"", "cuda.cu(7): error: expected a \";\"",
        "fatal error: torch/nn.h: No such file or directory", ""})
    EXPECT_EQ(missing_name(error), std::nullopt) << error;
}

TEST(TorchNames, TorchMayHelpUnlessItSpellsTheNameNowhere) {
  TorchNames names;
  names.read(
      "inline at::Tensor conv2d(const at::Tensor& self_1);\n#define TORCH_API\n"
      "// a word\nint after; /* another\nword */ int behind; int open /* to the end");
  EXPECT_TRUE(names.spell("conv2d"));
  EXPECT_TRUE(names.spell("self_1"));
  EXPECT_TRUE(names.spell("TORCH_API"));
  EXPECT_FALSE(names.spell("conv"));
  EXPECT_FALSE(names.spell("word"));
  EXPECT_TRUE(names.spell("after"));
  EXPECT_TRUE(names.spell("behind"));
  const auto undeclared = [&](const std::string& name) {
    return torch_may_help("main.cpp:1:1: error: '" + name + "' was not declared in this scope", names);
  };
  EXPECT_TRUE(undeclared("conv2d"));
  EXPECT_FALSE(undeclared("conv2dd"));
  for (const char* brought : {"PyLong_AsLong", "cudaMallocAsync", "__ldg", "pybind11"})
    EXPECT_TRUE(undeclared(brought));
  EXPECT_TRUE(torch_may_help("main.cpp:1:1: error: expected ';'", names));
}

}  // namespace
}  // namespace ridgeline::torch_extension
