// Maintainability of kernels: ours of C-family sources, radon's of Python, by a stand-in for the user's
// Python.
#include "engine/code_quality/measure.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ridgeline::code_quality {
namespace {

class Measuring : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("ridgeline-quality-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    ::unsetenv("RIDGELINE_PYTHON");
    std::filesystem::remove_all(folder_);
  }
  void python_is(const std::string& script) {
    const auto path = folder_ / "python";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    ::chmod(path.c_str(), 0755);
    ::setenv("RIDGELINE_PYTHON", path.c_str(), 1);
  }
  std::filesystem::path folder_;
};

TEST_F(Measuring, CountsCFamilySourcesWithoutAPython) {
  python_is("exit 9\n");
  const auto measured =
      measure({{.language = Language::cpp, .source = "int f(int a) { return a ? 1 : 2; }\n"}});
  ASSERT_TRUE(measured.figures.at(0));
  EXPECT_EQ(measured.figures[0]->mean_complexity, 2);
  EXPECT_GT(measured.figures[0]->index, 50);
  EXPECT_EQ(measured.why_no_python_figures, "");
}

TEST_F(Measuring, AsksRadonOnceForAllOfPythonInOrder) {
  python_is("wc -l > " + (folder_ / "asked").string() +
            "\necho '{\"radon\": \"6\"}'\n"
            "echo '{\"maintainability_index\": 61.5, \"avg_complexity\": 2.5, \"max_complexity\": 4}'\necho "
            "'{}'\n");
  const auto measured = measure({{.language = Language::triton, .source = "def f():\n  pass\n"},
                                 {.language = Language::cpp, .source = "int a;"},
                                 {.language = Language::torch, .source = "no Python ("}});
  ASSERT_TRUE(measured.figures.at(0));
  EXPECT_EQ(measured.figures[0]->index, 61.5);
  EXPECT_EQ(measured.figures[0]->mean_complexity, 2.5);
  EXPECT_EQ(measured.figures[0]->most_complexity, 4);
  EXPECT_TRUE(measured.figures.at(1));
  EXPECT_FALSE(measured.figures.at(2)) << "radon cannot read it";
  int asked = 0;
  std::ifstream(folder_ / "asked") >> asked;
  EXPECT_EQ(asked, 2);
}

TEST_F(Measuring, SaysHowToGetRadon) {
  python_is("exit 3\n");
  const auto measured = measure({{.language = Language::triton, .source = "x = 1\n"}});
  EXPECT_FALSE(measured.figures.at(0));
  EXPECT_NE(measured.why_no_python_figures.find("-m pip install radon"), std::string::npos)
      << measured.why_no_python_figures;
  python_is("exit 4\n");
  const auto failed = measure({{.language = Language::triton, .source = "x = 1\n"}}).why_no_python_figures;
  EXPECT_NE(failed.find("exit status 4"), std::string::npos) << failed;
  EXPECT_NE(failed.find("RIDGELINE_PYTHON"), std::string::npos) << failed;
}

}  // namespace
}  // namespace ridgeline::code_quality
