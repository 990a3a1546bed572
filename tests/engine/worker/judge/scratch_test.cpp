#include "engine/worker/judge/scratch.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <memory>

namespace ridgeline::judge {
namespace {

namespace fs = std::filesystem;

class ScratchTest : public testing::Test {
 protected:
  ScratchTest() {
    std::string name = (fs::temp_directory_path() / "scratch-test-XXXXXX").string();
    parent_ = ::mkdtemp(name.data());
  }
  ~ScratchTest() override { fs::remove_all(parent_); }
  fs::path parent_;
};

TEST_F(ScratchTest, LeavesNothing) {
  auto scratch = std::make_unique<Scratch>(parent_);
  std::ofstream(scratch->path() / "candidate.so") << "x";
  scratch.reset();
  EXPECT_TRUE(fs::is_empty(parent_));
}

TEST_F(ScratchTest, RemovesOrphansAndSparesTheLiving) {
  const Scratch living(parent_);
  const auto orphan = parent_ / "ridgeline-scratch-orphan";
  fs::create_directory(orphan);
  std::ofstream(orphan / "lock") << "";
  const auto other = parent_ / "something-else";
  fs::create_directory(other);
  const Scratch next(parent_);
  EXPECT_FALSE(fs::exists(orphan));
  EXPECT_TRUE(fs::exists(living.path()));
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace ridgeline::judge
