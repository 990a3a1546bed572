#include "engine/worker/judge/runners/python_policy.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace ridgeline::judge {
namespace {

using testing::Contains;
using testing::Not;

const PythonProgram python{.program = "/nowhere/python3",
                           .library = "/nowhere/runner.so",
                           .folders = {"/nowhere/site"},
                           .torch_version = ""};

std::vector<std::string> paths(const sandbox::Policy& policy, sandbox::PathUse use) {
  std::vector<std::string> found;
  for (const auto& one : policy.paths)
    if (one.use == use && !one.device) found.push_back(one.path);
  return found;
}

bool knows(const sandbox::Policy& policy, const std::string& name) {
  return std::ranges::any_of(policy.environment, [&](const auto& one) { return one.first == name; });
}

TEST(PythonPolicy, ACandidatesInterpreterStartsNothingAndWritesNowhere) {
  sandbox::Policy policy;
  admit_python(policy, python);
  EXPECT_THAT(paths(policy, sandbox::PathUse::execute), testing::ElementsAre("/nowhere/python3"));
  EXPECT_TRUE(paths(policy, sandbox::PathUse::write).empty());
  EXPECT_FALSE(knows(policy, "PATH"));
  EXPECT_TRUE(knows(policy, "CUPY_CACHE_IN_MEMORY")) << "there is no folder where kernels could be kept";
  EXPECT_TRUE(knows(policy, "CUPY_CACHE_DIR")) << "and none that could be made";
  EXPECT_THAT(python_words({.python = python}), Not(Contains("unlocked")));
}

TEST(PythonPolicy, TorchsCompilerCanBeImportedWhereItCompilesNothing) {
  sandbox::Policy policy;
  admit_python(policy, python);
  refuse_compilers(policy);
  EXPECT_TRUE(knows(policy, "USER")) << "else a daemon is asked for the name";
  EXPECT_TRUE(knows(policy, "TORCHINDUCTOR_CACHE_DIR")) << "else a folder is made";
  EXPECT_TRUE(paths(policy, sandbox::PathUse::write).empty());
}

TEST(PythonPolicy, OneThatCompilesStartsCompilersAndWritesIntoOneFolder) {
  sandbox::Policy policy;
  admit_python(policy, python);
  admit_compilers(policy, python, "/nowhere/compiled");
  EXPECT_THAT(paths(policy, sandbox::PathUse::execute), testing::IsSupersetOf({"/usr", "/nowhere/site"}));
  EXPECT_THAT(paths(policy, sandbox::PathUse::write), testing::ElementsAre("/nowhere/compiled"));
  EXPECT_TRUE(knows(policy, "PATH"));
  EXPECT_TRUE(policy.limits.file_size && policy.limits.processes);
  EXPECT_THAT(python_words({.python = python, .compiles = true}), Contains("unlocked"));
}

}  // namespace
}  // namespace ridgeline::judge
