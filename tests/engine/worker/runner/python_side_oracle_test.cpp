// The interpreter's side has tests in its own language; they run as one here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

TEST(PythonRunnerPackage, PassesItsOwnTests) {
  const std::string folder = RIDGELINE_SOURCE_DIR;
  const auto command = std::string("OMP_NUM_THREADS=1 '") + RIDGELINE_PYTHON + "' -B '" + folder +
                       "/tests/engine/worker/runner/ridgeline_runner_test.py' '" + folder +
                       "/engine/worker/runner/python'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}
