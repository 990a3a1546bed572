// The interpreter's side has tests in its own language; each file of them runs as one test here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

class PythonRunnerPackage : public testing::TestWithParam<const char*> {};

TEST_P(PythonRunnerPackage, PassesItsOwnTests) {
  const std::string folder = RIDGELINE_SOURCE_DIR;
  const auto command = std::string("OMP_NUM_THREADS=1 RIDGELINE_LIBRARY='" RIDGELINE_BIN_DIR
                                   "/libridgeline-python-runner.so' '") +
                       RIDGELINE_PYTHON + "' -B '" + folder + "/tests/engine/worker/runner/" + GetParam() +
                       ".py' '" + folder + "/engine/worker/runner/python'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(Files, PythonRunnerPackage, testing::Values("calls_test", "answers_test"),
                         [](const auto& file) { return std::string(file.param); });

}  // namespace
