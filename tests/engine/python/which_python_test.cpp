#include "engine/python/which_python.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace ridgeline::python {
namespace {

/// Sets the variable for one test, and puts back what stood there.
class WhichPython : public testing::Test {
 protected:
  WhichPython() {
    if (const char* value = std::getenv("RIDGELINE_PYTHON")) before_ = value;
  }
  ~WhichPython() override {
    before_.empty() ? ::unsetenv("RIDGELINE_PYTHON") : ::setenv("RIDGELINE_PYTHON", before_.c_str(), 1);
  }

 private:
  std::string before_;
};

TEST_F(WhichPython, IsTheValueOfTheVariable) {
  ::setenv("RIDGELINE_PYTHON", "/venv/bin/python3", 1);
  EXPECT_EQ(which_python(), "/venv/bin/python3");
}

TEST_F(WhichPython, IsPython3WhereTheVariableIsUnsetOrEmpty) {
  ::unsetenv("RIDGELINE_PYTHON");
  EXPECT_EQ(which_python(), "python3");
  ::setenv("RIDGELINE_PYTHON", "", 1);
  EXPECT_EQ(which_python(), "python3");
}

}  // namespace
}  // namespace ridgeline::python
