#include "engine/worker/languages/python_toolchain.hpp"

#include <gmock/gmock.h>

namespace ridgeline::languages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PythonToolchain, IsWhatTheInterpreterSays) {
  const auto found = python_from_facts(
      "/shims/python3",
      R"({"program": "/v/bin/python3", "version": "3.11.7", "torch": "2.11.0+cpu", "folders": ["/v/lib/p", "/usr/lib", "/v", "/v2", "/usr/lib"]})");
  ASSERT_TRUE(std::holds_alternative<PythonToolchain>(found));
  const auto& python = std::get<PythonToolchain>(found);
  EXPECT_EQ(python.program, "/v/bin/python3");
  EXPECT_EQ(python.version, "3.11.7");
  EXPECT_EQ(python.torch_version, "2.11.0+cpu");
  EXPECT_EQ(python.triton_version, "") << "it said nothing of one";
  EXPECT_THAT(python.folders, ElementsAre("/usr/lib", "/v", "/v2")) << "none below another";
}

TEST(PythonToolchain, WithoutTorchIsNoneAndSaysTheFix) {
  const auto found = python_from_facts("/p", R"({"version": "3.11.7", "torch": "", "folders": []})");
  ASSERT_TRUE(std::holds_alternative<NoPython>(found));
  EXPECT_EQ(std::get<NoPython>(found).reason, "/p (3.11.7) has no torch");
  EXPECT_THAT(std::get<NoPython>(found).fix, HasSubstr("RIDGELINE_PYTHON"));
}

TEST(PythonToolchain, AProgramThatIsNoPythonIsNone) {
  for (const char* program : {"/bin/true", "/bin/false", "/nowhere/python3"}) {
    const auto found = ask_python(program);
    ASSERT_TRUE(std::holds_alternative<NoPython>(found)) << program;
    EXPECT_THAT(std::get<NoPython>(found).reason, HasSubstr(program));
  }
}

}  // namespace
}  // namespace ridgeline::languages
