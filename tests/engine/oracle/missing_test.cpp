// A machine without what the oracle needs: a message with the fix.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/core/error.hpp"
#include "tests/engine/oracle/tasks.hpp"

namespace ridgeline::oracle {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const OracleSettings& settings, bool begun = false) {
  OracleProcess oracle(settings);
  try {
    if (begun) oracle.begin();
    oracle.describe(task_named("level1/1_statistics"), 60);
  } catch (const MachineCannot& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string script(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(path) << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

TEST(Missing, PythonIsNamedWithTheVariable) {
  EXPECT_THAT(refusal(test_settings("/no/such/python")),
              AllOf(HasSubstr("/no/such/python"), HasSubstr("RIDGELINE_PYTHON")));
}

TEST(Missing, TorchIsNamedWithTheCommand) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "no-torch";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "torch.py") << "raise ImportError('libsomething.so.1 is not there')\n";
  auto settings = test_settings("python3");
  settings.environment.push_back("PYTHONPATH=" + folder.string());
  for (const bool begun : {false, true})
    EXPECT_THAT(refusal(settings, begun),
                AllOf(HasSubstr("libsomething.so.1"), HasSubstr("pip install torch")));
}

TEST(Missing, AProgramThatIsNoPythonIsQuoted) {
  EXPECT_THAT(refusal(test_settings(script("no-python", "#!/bin/sh\necho what is -c >&2\nexit 4\n"))),
              AllOf(HasSubstr("exit status 4"), HasSubstr("what is -c"), HasSubstr("import torch")));
}

}  // namespace
}  // namespace ridgeline::oracle
