#include <gtest/gtest.h>

#include <filesystem>

#include "engine/worker/languages/python_toolchain.hpp"

namespace ridgeline::languages {

TEST(PythonToolchain, IsFoundWhereThereIsOne) {
  const auto found = ask_python(RIDGELINE_PYTHON);
  if (const auto* none = std::get_if<NoPython>(&found)) FAIL() << none->reason;
  const auto& python = std::get<PythonToolchain>(found);
  EXPECT_TRUE(std::filesystem::path(python.program).is_absolute()) << python.program;
  EXPECT_FALSE(python.torch_version.empty());
  for (const auto& folder : python.folders) {
    EXPECT_TRUE(std::filesystem::exists(folder)) << folder;
    EXPECT_NE(folder, "/usr");
  }
}

}  // namespace ridgeline::languages
