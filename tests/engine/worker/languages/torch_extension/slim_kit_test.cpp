#include "engine/worker/languages/torch_extension/slim_kit.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "../languages_test.hpp"

namespace ridgeline::torch_extension {
namespace {

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
