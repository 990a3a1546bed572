#include "engine/worker/sandbox/gpu_policy.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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

/// A folder as the driver fills /proc/driver/nvidia, and nodes as it makes them in /dev.
class CardNode : public testing::Test {
 protected:
  CardNode() {
    std::filesystem::create_directories(folder_ / "driver/gpus/0000:1b:00.0");
    std::filesystem::create_directories(folder_ / "dev");
    for (const char* name : {"nvidia0", "nvidia3", "nvidiactl", "nvidia-uvm"})
      std::ofstream(folder_ / "dev" / name);
    say("Model: \t\t NVIDIA H100\nDevice Minor: \t 3\nGPU Excluded:\t No\n");
  }
  ~CardNode() override { std::filesystem::remove_all(folder_); }
  void say(const char* text) { std::ofstream(folder_ / "driver/gpus/0000:1b:00.0/information") << text; }
  std::string node(const std::string& bus_id) const {
    return card_node(bus_id, folder_ / "driver", folder_ / "dev");
  }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("ridgeline-card-" + std::to_string(::getpid()));
};

TEST_F(CardNode, IsTheOneThatTheDriverNames) {
  EXPECT_EQ(node("0000:1B:00.0"), (folder_ / "dev/nvidia3").string());
}

TEST_F(CardNode, IsOfNoUseWhereThereIsOneCard) {
  std::filesystem::remove(folder_ / "dev/nvidia0");
  EXPECT_EQ(node("0000:1b:00.0"), "");
}

TEST_F(CardNode, IsNotKnownWhereTheDriverDoesNotSayOrThereIsNone) {
  EXPECT_EQ(node(""), "");
  EXPECT_EQ(node("0000:2b:00.0"), "");
  EXPECT_EQ(node("../gpus/0000:1b:00.0"), "");
  say("Device Minor: \t 4\n");
  EXPECT_EQ(node("0000:1b:00.0"), "") << "a container may have other nodes";
  say("Device Minor: \t ctl\n");
  EXPECT_EQ(node("0000:1b:00.0"), "");
  say("Model: \t\t NVIDIA H100\n");
  EXPECT_EQ(node("0000:1b:00.0"), "");
}

}  // namespace
}  // namespace ridgeline::sandbox
