// A clone on disk to named task files.
#include "engine/suites/kernelbench/clone.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/core/error.hpp"
#include "tests/engine/suites/kernelbench/small_clone.hpp"

namespace ridgeline::suites::kernelbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const std::vector<TaskFile>& tasks) {
  std::vector<std::string> all;
  for (const auto& task : tasks) all.push_back(task.full_name());
  return all;
}

template <class F>
std::string refusal(F call) {
  try {
    call();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "nothing was thrown";
}

fs::path empty_folder(const std::string& name) {
  const auto folder = fs::path(testing::TempDir()) / ("kernelbench-" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

TEST(Clone, IsReadFromItsRootAndFromTheFolderInIt) {
  const auto from_root = open_clone(clone_root(), {1, 2});
  const auto from_inner = open_clone(clone_root() + "/KernelBench", {1, 2});
  EXPECT_EQ(names(from_root.tasks), names(from_inner.tasks));
  EXPECT_EQ(from_root.root, from_inner.root);
}

TEST(Clone, OrdersByNumberAndNotByText) {
  const auto clone = open_clone(clone_root(), {1});
  EXPECT_EQ(clone.tasks.front().full_name(), "level1/1_statistics");
  EXPECT_EQ(clone.tasks.back().full_name(), "level1/10_huge");
  EXPECT_EQ(clone.tasks.back().number, 10);
  EXPECT_EQ(clone.tasks.back().identifier(), "level1_10_huge");
}

TEST(Clone, SaysHowToFixAMissingClone) {
  EXPECT_THAT(refusal([] { open_clone("/no/such/folder"); }), HasSubstr("is no folder; name a clone"));
  const auto folder = empty_folder("empty");
  EXPECT_THAT(refusal([&] { open_clone(folder); }), HasSubstr("holds neither KernelBench/level1 nor level1"));
}

TEST(Clone, NamesTheLevelsThatExist) {
  EXPECT_THAT(refusal([] { open_clone(clone_root(), {7}); }), HasSubstr("no level 7; there are: 1, 2"));
}

TEST(Clone, IgnoresFilesThatAreNoTasks) {
  const auto level = empty_folder("others") / "level1";
  fs::create_directories(level);
  for (const char* name : {"4_ReLU.py", "__init__.py", "notes.md", "5_Tanh.txt", "6.py"})
    std::ofstream(level / name);
  EXPECT_THAT(names(open_clone(level.parent_path(), {1}).tasks), ElementsAre("level1/4_ReLU"));
}

TEST(Clone, RefusesTwoTasksOfOneNumber) {
  const auto level = empty_folder("twice") / "level1";
  fs::create_directories(level);
  for (const char* name : {"4_ReLU.py", "4_Tanh.py"}) std::ofstream(level / name);
  EXPECT_THAT(refusal([&] { open_clone(level.parent_path(), {1}); }), HasSubstr("have one number"));
}

TEST(Selection, TakesNamesNumbersAndGlobs) {
  const auto clone = open_clone(clone_root(), {1, 2});
  EXPECT_THAT(names(select(clone, {"3_labels"})), ElementsAre("level1/3_labels"));
  EXPECT_THAT(names(select(clone, {"level2/3"})), ElementsAre("level2/3_raises"));
  EXPECT_THAT(names(select(clone, {"level1/1*"})), ElementsAre("level1/1_statistics", "level1/10_huge"));
  EXPECT_THAT(names(select(clone, {"1_dropout", "level1/2"})),
              ElementsAre("level1/2_largest_index", "level2/1_dropout"));
  EXPECT_EQ(select(clone, {}).size(), clone.tasks.size());
}

TEST(Selection, SuggestsTheNearest) {
  const auto clone = open_clone(clone_root(), {1, 2});
  EXPECT_THAT(refusal([&] { select(clone, {"3_lables"}); }), HasSubstr("did you mean \"3_labels\""));
  EXPECT_THAT(refusal([&] { select(clone, {"level1/3_lables"}); }), HasSubstr("\"level1/3_labels\""));
  EXPECT_THAT(refusal([&] { select(clone, {"no such thing at all"}); }), HasSubstr("tasks list"));
}

TEST(Levels, AreAList) {
  EXPECT_THAT(parse_levels("3,1,1"), ElementsAre(1, 3));
  for (const char* wrong : {"", "x", "1,,2", "1-2", "0"})
    EXPECT_THAT(refusal([&] { parse_levels(wrong); }), HasSubstr("--levels")) << wrong;
}

}  // namespace
}  // namespace ridgeline::suites::kernelbench
