#include "engine/worker/judge/runners/cuda_policy.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

namespace ridgeline::judge {
namespace {

class CudaPolicy : public testing::Test {
 protected:
  CudaPolicy() {
    if (const char* path = ::getenv("LD_LIBRARY_PATH")) before_ = path;
    ::setenv("LD_LIBRARY_PATH", "/nowhere/driver:/nowhere/torch", 1);
  }
  ~CudaPolicy() override {
    if (before_)
      ::setenv("LD_LIBRARY_PATH", before_->c_str(), 1);
    else
      ::unsetenv("LD_LIBRARY_PATH");
  }
  static std::vector<std::string> values(const sandbox::Policy& policy, const std::string& name) {
    std::vector<std::string> found;
    for (const auto& [key, value] : policy.environment)
      if (key == name) found.push_back(value);
    return found;
  }

 private:
  std::optional<std::string> before_;
};

/// CUPTI says CUPTI_ERROR_NOT_INITIALIZED where the loader does not find by name what stands beside it.
TEST_F(CudaPolicy, WhereCallsAreCountedTheLoaderLooksBesideCuptiFirst) {
  sandbox::Policy policy;
  admit_cuda(policy, "/nowhere/cu13/lib/libcupti.so.13");
  EXPECT_EQ(values(policy, "LD_LIBRARY_PATH"),
            std::vector<std::string>{"/nowhere/cu13/lib:/nowhere/driver:/nowhere/torch"});
  EXPECT_TRUE(
      std::ranges::any_of(policy.paths, [](const auto& one) { return one.path == "/nowhere/cu13/lib"; }));
}

TEST_F(CudaPolicy, ElseItLooksWhereTheJudgeDoes) {
  sandbox::Policy policy;
  admit_cuda(policy, std::nullopt);
  EXPECT_EQ(values(policy, "LD_LIBRARY_PATH"), std::vector<std::string>{"/nowhere/driver:/nowhere/torch"});
}

}  // namespace
}  // namespace ridgeline::judge
