#include "engine/worker/agent/compiler_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/worker/agent/scratch_folder.hpp"

namespace ridgeline::agent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// Gives a variable another value, or none, until it goes.
class OtherValue {
 public:
  OtherValue(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  OtherValue(const OtherValue&) = delete;
  OtherValue& operator=(const OtherValue&) = delete;
  ~OtherValue() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(BuildCacheFolder, IsBelowTheUsersCacheOrHome) {
  const OtherValue home("HOME", "/h");
  {
    const OtherValue cache("XDG_CACHE_HOME", "/c");
    EXPECT_EQ(default_build_cache(), "/c/ridgeline/builds");
  }
  const OtherValue relative("XDG_CACHE_HOME", "c");
  EXPECT_EQ(default_build_cache(), "/h/.cache/ridgeline/builds");
}

TEST(BuildCacheFolder, AmongTemporaryFoldersIsThisUsersAlone) {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  const OtherValue home("HOME", nullptr), cache("XDG_CACHE_HOME", nullptr);
  const OtherValue temporary("TMPDIR", scratch.path().c_str());
  const auto folder = default_build_cache();
  EXPECT_EQ(folder, scratch.path() / ("ridgeline-builds-" + std::to_string(::geteuid())));
  struct stat facts{};
  ASSERT_EQ(::lstat(folder.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  EXPECT_EQ(default_build_cache(), folder) << "the next worker's too";

  ::chmod(folder.c_str(), 0777);
  EXPECT_THROW(default_build_cache(), MachineCannot) << "others may write to it";
  std::filesystem::remove(folder);
  std::filesystem::create_directory_symlink(scratch.path(), folder);
  EXPECT_THROW(default_build_cache(), MachineCannot) << "it leads elsewhere";
  std::filesystem::remove(folder);
  EXPECT_EQ(default_build_cache(), folder);
}

TEST(CompilerBuilder, ALanguageThatCannotBePreparedKeepsNoOtherFromIt) {
  std::vector<std::string> logged;
  languages::MachineTools tools;
  tools.host.emplace();
  tools.nvcc.emplace();
  // A folder below a device: no builder can make its cache.
  CompilerBuilder builder(tools, "/none", "/dev/null/cache", 0, sandbox::Isolation::none,
                          [&](std::string line) { logged.push_back(std::move(line)); });
  builder.warm_up();
  EXPECT_THAT(logged, ElementsAre(StartsWith("cpp: headers are not read ahead"),
                                  StartsWith("cuda: headers are not read ahead")));
  EXPECT_THAT(logged.back(), HasSubstr("/dev/null/cache"));
}

}  // namespace
}  // namespace ridgeline::agent
