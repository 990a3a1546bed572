#include "engine/worker/languages/torch_extension/link_log.hpp"

#include <gmock/gmock.h>

namespace ridgeline::torch_extension {
namespace {

using testing::ElementsAre;

TEST(LinkLog, ReportsNamesOfThisModuleAndNotPythons) {
  const auto log = read_link_log(
      "x.o: in function `forward(at::Tensor)':\n"
      "tmp.cpp:(.text+0x1c): warning: undefined reference to `helper(at::Tensor)'\n"
      "tmp.cpp:(.text+0x2c): warning: undefined reference to `helper(at::Tensor)'\n"
      "tmp.cpp:(.text+0x3c): warning: undefined reference to `PyTuple_New'\n"
      "tmp.cpp:(.text+0x4c): warning: undefined reference to `_Py_NoneStruct'\n"
      "x.o:runtime.cpp:(.text+0x203): warning: more undefined references to `Py_DecRef' follow\n"
      "warning: something else\n");
  EXPECT_THAT(log.unresolved, ElementsAre("helper(at::Tensor)"));
  EXPECT_EQ(log.rest, "warning: something else\n");
}

TEST(LinkLog, WhoseNameItMayBe) {
  EXPECT_FALSE(may_be_torchs("helper(at::Tensor)"));
  EXPECT_FALSE(may_be_torchs("launch(float*, int)"));
  EXPECT_TRUE(may_be_torchs("ncclAllReduce"));
  EXPECT_TRUE(may_be_torchs("at::native::thing(at::Tensor const&)"));
}

}  // namespace
}  // namespace ridgeline::torch_extension
