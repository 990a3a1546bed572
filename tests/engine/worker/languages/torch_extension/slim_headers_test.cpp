#include "engine/worker/languages/torch_extension/slim_headers.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "../languages_test.hpp"

namespace ridgeline::torch_extension {
namespace {

TEST(SlimHeaders, AreCompiledIn) {
  std::set<std::string> paths;
  for (const auto* header = slim_headers; header->path; ++header) paths.insert(header->path);
  for (const char* path : {"torch/extension.h", "torch/types.h", "ATen/ATen.h", "ATen/cuda/CUDAContext.h",
                           "c10/cuda/CUDAGuard.h", "torch_slim/runtime/runtime.cpp"})
    EXPECT_TRUE(paths.contains(path)) << path;
}

class SlimKits : public languages::Languages {};

TEST_F(SlimKits, AreMadeOnceACache) {
  languages::BuildSettings settings{folder_ / "kits", isolation_};
  settings.limits.wall_seconds = 300;  // the machine may have much else to do
  const languages::Workshop workshop(std::move(settings));
  const auto kit = slim_kit(workshop, compiler_->toolchain());
  EXPECT_TRUE(std::filesystem::exists(kit.includes / "torch/extension.h"));
  const auto made = std::filesystem::last_write_time(kit.includes / "torch/extension.h");
  const auto again = slim_kit(workshop, compiler_->toolchain());
  EXPECT_EQ(again.runtime, kit.runtime);
  EXPECT_EQ(std::filesystem::last_write_time(again.includes / "torch/extension.h"), made);
}

}  // namespace
}  // namespace ridgeline::torch_extension
