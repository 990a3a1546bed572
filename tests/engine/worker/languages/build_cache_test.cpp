// The cache's limit, with files in place of builds.
#include "engine/worker/languages/build_cache.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ridgeline::languages {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;

class BuildCacheTest : public testing::Test {
 protected:
  BuildCacheTest() {
    std::string pattern = (fs::temp_directory_path() / "ridgeline-build-cache-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
    folder_ = pattern;
  }
  ~BuildCacheTest() override { fs::remove_all(folder_); }

  fs::path path(const std::string& name) const { return folder_ / name; }
  fs::path write(const std::string& name, std::size_t bytes) const {
    std::ofstream(path(name)) << std::string(bytes, 'x');
    return path(name);
  }
  /// As if it had been used so long ago.
  void used(const std::string& name, hours ago) const {
    fs::last_write_time(path(name), fs::file_time_type::clock::now() - ago);
  }
  bool there(const std::string& name) const { return fs::exists(path(name)); }

  fs::path folder_;
};

CacheEntry entry(const std::string& name, std::uint64_t bytes, int used) {
  return {name, bytes, fs::file_time_type(std::chrono::seconds(used))};
}

std::vector<std::string> names(const std::vector<CacheEntry>& entries) {
  std::vector<std::string> all;
  for (const auto& one : entries) all.push_back(one.path.string());
  return all;
}

TEST(LeastRecentlyUsed, GoesFirstUntilATenthIsFree) {
  const std::vector<CacheEntry> entries{entry("new", 40, 9), entry("old", 5, 1), entry("older", 10, 0),
                                        entry("middle", 50, 5)};
  EXPECT_EQ(names(least_recently_used(entries, 100)), (std::vector<std::string>{"older", "old"}));
  EXPECT_TRUE(least_recently_used(entries, 105).empty());
  EXPECT_EQ(least_recently_used(entries, 1).size(), 4u);
}

TEST_F(BuildCacheTest, AUseKeepsAnEntryFromBeingTheOldest) {
  for (const char* name : {"a.so", "b.so", "c.so"}) {
    write(name, 400);
    used(name, hours(2));
  }
  used("a.so", hours(3));
  EXPECT_TRUE(BuildCache(folder_, 0).hold(path("a.so")));
  BuildCache trimmed(folder_, 1000);  // looks when it begins
  EXPECT_TRUE(there("a.so"));
  EXPECT_FALSE(there("b.so"));
  EXPECT_TRUE(there("c.so"));
}

TEST_F(BuildCacheTest, AHeldEntryStaysAndGoesOnceItIsNotHeld) {
  BuildCache cache(folder_, 1000);
  auto held = cache.keep(write("scratch-a", 600), path("a.so"));
  ASSERT_TRUE(held);
  EXPECT_EQ(fs::file_size(path("a.so")), 600u);
  used("a.so", hours(2));
  cache.keep(write("scratch-b", 600), path("b.so"));
  EXPECT_TRUE(there("a.so")) << "the oldest, but in use";
  held.reset();
  cache.keep(write("scratch-c", 600), path("c.so"));
  EXPECT_FALSE(there("a.so"));
  EXPECT_FALSE(there("b.so"));
  EXPECT_TRUE(there("c.so")) << "what was just made is in use";
}

TEST_F(BuildCacheTest, AnEntryThatAnotherProcessHoldsStaysUntilItDies) {
  write("a.so", 2000);
  used("a.so", hours(2));
  int ready[2], go[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(go), 0);
  const auto other = ::fork();
  if (other == 0) {
    const auto held = BuildCache(folder_, 0).hold(path("a.so"));
    char byte = held ? 'y' : 'n';
    if (::write(ready[1], &byte, 1) != 1 || ::read(go[0], &byte, 1) != 1) ::_exit(1);
    ::_exit(0);  // without destructors, as one that was killed
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  {
    BuildCache cache(folder_, 1000);
  }
  EXPECT_TRUE(there("a.so"));
  ASSERT_EQ(::write(go[1], &byte, 1), 1);
  ::waitpid(other, nullptr, 0);
  {
    BuildCache cache(folder_, 1000);
  }
  EXPECT_FALSE(there("a.so"));
  for (const int end : {ready[0], ready[1], go[0], go[1]}) ::close(end);
}

TEST_F(BuildCacheTest, TheFirstOfTwoEqualBuildsStays) {
  BuildCache cache(folder_, 0);
  const auto first = cache.keep(write("scratch-1", 10), path("a.so"));
  const auto second = cache.keep(write("scratch-2", 20), path("a.so"));
  EXPECT_TRUE(first && second);
  EXPECT_EQ(fs::file_size(path("a.so")), 10u);
  EXPECT_FALSE(cache.hold(path("absent.so")));
}

TEST_F(BuildCacheTest, FoldersAreEntriesAndStrangersAreLeftAlone) {
  BuildCache cache(folder_, 1000);
  fs::create_directory(path("scratch-h"));
  write("scratch-h/prelude.hpp.gch", 5000);
  auto held = cache.keep(path("scratch-h"), path("header-1"));
  ASSERT_TRUE(held);
  EXPECT_TRUE(there("header-1/prelude.hpp.gch"));
  write("notes.txt", 5000);
  held.reset();
  cache.keep(write("scratch-b", 100), path("b.so"));
  EXPECT_FALSE(there("header-1"));
  EXPECT_TRUE(there("b.so"));
  EXPECT_TRUE(there("notes.txt"));
}

TEST_F(BuildCacheTest, ScratchFoldersOfKilledWorkersGoAfterAnHour) {
  for (const char* name : {"scratch-old", "scratch-new"}) fs::create_directory(path(name));
  write("scratch-old/kernel.so", 10);
  used("scratch-old", hours(2));
  {
    BuildCache cache(folder_, 0);
  }
  EXPECT_FALSE(there("scratch-old"));
  EXPECT_TRUE(there("scratch-new"));
}

TEST_F(BuildCacheTest, WithoutALimitNothingGoes) {
  BuildCache cache(folder_, 0);
  for (int i = 0; i < 5; ++i) cache.keep(write("scratch-x", 1000), path(std::to_string(i) + ".so"));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(there(std::to_string(i) + ".so"));
}

}  // namespace
}  // namespace ridgeline::languages
