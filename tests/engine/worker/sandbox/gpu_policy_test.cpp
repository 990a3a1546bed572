#include "engine/worker/sandbox/gpu_policy.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

namespace ridgeline::sandbox {
namespace {

class GpuPolicy : public testing::Test {
 protected:
  GpuPolicy() {
    if (const char* path = ::getenv("LD_LIBRARY_PATH")) before_ = path;
    ::setenv("LD_LIBRARY_PATH", "/nowhere/driver:/nowhere/torch", 1);
  }
  ~GpuPolicy() override {
    if (before_)
      ::setenv("LD_LIBRARY_PATH", before_->c_str(), 1);
    else
      ::unsetenv("LD_LIBRARY_PATH");
  }
  static std::vector<std::string> values(const Policy& policy, const std::string& name) {
    std::vector<std::string> found;
    for (const auto& [key, value] : policy.environment)
      if (key == name) found.push_back(value);
    return found;
  }

 private:
  std::optional<std::string> before_;
};

/// CUPTI says CUPTI_ERROR_NOT_INITIALIZED where the loader does not find by name what stands beside it.
TEST_F(GpuPolicy, WhereCallsAreCountedTheLoaderLooksBesideCuptiFirst) {
  Policy policy;
  admit_gpu(policy, "/nowhere/cu13/lib/libcupti.so.13");
  EXPECT_EQ(values(policy, "LD_LIBRARY_PATH"),
            std::vector<std::string>{"/nowhere/cu13/lib:/nowhere/driver:/nowhere/torch"});
  EXPECT_TRUE(
      std::ranges::any_of(policy.paths, [](const auto& one) { return one.path == "/nowhere/cu13/lib"; }));
}

TEST_F(GpuPolicy, ElseItLooksWhereThisProcessDoes) {
  Policy policy;
  admit_gpu(policy, std::nullopt);
  EXPECT_EQ(values(policy, "LD_LIBRARY_PATH"), std::vector<std::string>{"/nowhere/driver:/nowhere/torch"});
}

}  // namespace
}  // namespace ridgeline::sandbox
