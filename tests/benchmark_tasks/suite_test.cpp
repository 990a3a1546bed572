#include "benchmark_tasks/suite.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "benchmark_tasks/suite_folder.hpp"
#include "tests/benchmark_tasks/task_text.hpp"
#include "tests/engine/yaml/message.hpp"

namespace ridgeline::benchmark_tasks {
namespace fs = std::filesystem;
namespace {

/// A folder of its own that vanishes with the test.
class SuiteTest : public testing::Test {
 protected:
  SuiteTest()
      : root_(fs::path(testing::TempDir()) /
              ("suite_" + std::to_string(getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~SuiteTest() override { fs::remove_all(root_); }

  void add(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  void add_three() {
    add("Math/scale.yaml", valid_task());
    add("Math/shift.yaml", with("name: scale", "name: shift"));
    auto hard = with("name: scale\ncategory: Math\ndifficulty: 1",
                     "name: solve\ncategory: LinearAlgebra\ndifficulty: 4");
    add("LinearAlgebra/solve.yaml", hard);
  }

  fs::path root_;
};

std::vector<std::string> names(const std::vector<const Task*>& tasks) {
  std::vector<std::string> all;
  for (const auto* task : tasks) all.push_back(task->name);
  return all;
}

TEST_F(SuiteTest, LoadsAllTasksSortedByName) {
  add_three();
  add("README.md", "not a task");
  const auto suite = load_native(root_);
  EXPECT_EQ(suite.names(), (std::vector<std::string>{"scale", "shift", "solve"}));
  EXPECT_EQ(suite.name, root_.filename());
  ASSERT_NE(suite.find("solve"), nullptr);
  EXPECT_EQ(suite.find("solve")->difficulty, 4);
  EXPECT_EQ(suite.find("sale"), nullptr);
}

TEST_F(SuiteTest, AFileMustStandInTheFolderOfItsCategory) {
  add("Math/other.yaml", valid_task());
  EXPECT_EQ(message_of([&] { load_native(root_); }),
            (root_ / "Math/other.yaml").string() + ": holds the task 'scale'; name the file scale.yaml");
  fs::remove(root_ / "Math/other.yaml");
  add("Loss/scale.yaml", valid_task());
  EXPECT_EQ(message_of([&] { load_native(root_); }),
            (root_ / "Loss/scale.yaml").string() +
                ": the task's category is Math; put the file into the folder Math/");
}

TEST_F(SuiteTest, TwoTasksOfOneNameAreRefused) {
  add("Math/scale.yaml", valid_task());
  add("Loss/scale.yaml", with("category: Math", "category: Loss"));
  const auto message = message_of([&] { load_native(root_); });
  EXPECT_NE(message.find("the task 'scale' stands in "), std::string::npos) << message;
}

TEST_F(SuiteTest, AFolderWithoutTasksIsRefused) {
  EXPECT_EQ(message_of([&] { load_native(root_); }),
            root_.string() + ": holds no task; a suite is a folder of <Category>/<task>.yaml");
  EXPECT_EQ(message_of([&] { load_native(root_ / "none"); }),
            (root_ / "none").string() + ": is no folder; a suite is a folder of <Category>/<task>.yaml");
}

TEST_F(SuiteTest, FiltersMeetEveryCondition) {
  add_three();
  const auto suite = load_native(root_);
  EXPECT_EQ(names(select(suite, {})), suite.names());
  EXPECT_EQ(names(select(suite, {.names = {"s?i*", "solve"}})), (std::vector<std::string>{"shift", "solve"}));
  EXPECT_EQ(names(select(suite, {.categories = {"LinearAlgebra"}})), std::vector<std::string>{"solve"});
  EXPECT_EQ(names(select(suite, {.max_difficulty = 3})), (std::vector<std::string>{"scale", "shift"}));
}

TEST_F(SuiteTest, FiltersThatNoTaskMeetsAreRefused) {
  add_three();
  const auto suite = load_native(root_);
  const auto prefix = "no task of the suite '" + suite.name + "' ";
  EXPECT_EQ(message_of([&] { select(suite, {.names = {"scael"}}); }),
            prefix + "is named 'scael'; did you mean 'scale'? (known: scale, shift, solve)");
  EXPECT_EQ(message_of([&] {
              select(suite, {.categories = {"math"}});
            }).find("'math' is no category; did you mean 'Math'?"),
            0u);
  EXPECT_EQ(message_of([&] { select(suite, {.categories = {"Math", "Loss"}}); }),
            prefix + "is in the category Loss");
  EXPECT_EQ(message_of([&] { select(suite, {.names = {"solve"}, .max_difficulty = 2}); }),
            prefix + "meets the whole filter; loosen names, categories or difficulty");
}

TEST_F(SuiteTest, TasksAreFoundByNameCategoryAndPath) {
  add_three();
  const auto suite = load_native(root_);
  EXPECT_EQ(resolve_task(suite, "solve").category, "LinearAlgebra");
  EXPECT_EQ(resolve_task(suite, "Math/shift").name, "shift");
  EXPECT_EQ(resolve_task(suite, (root_ / "Math/scale.yaml").string()).name, "scale");
  EXPECT_EQ(message_of([&] { resolve_task(suite, "Loss/shfit"); }),
            "no task 'Loss/shfit' in the suite '" + suite.name +
                "'; did you mean 'shift'? (known: scale, shift, solve)");
}

TEST_F(SuiteTest, TheFolderIsFoundByVariableThenBesideTheExecutable) {
  const auto source = root_ / "benchmark_tasks", bundle = root_ / "build/share/ridgeline/benchmark_tasks";
  const auto executable = root_ / "build/bin/ridgeline";
  const auto add_task = [](const fs::path& suite) {
    fs::create_directories(suite / "Math");
    std::ofstream(suite / "Math" / "scale.yaml") << "name: scale\n";
  };
  add_task(bundle);
  fs::create_directories(source / "CMakeFiles");
  EXPECT_EQ(suite_folder_for(std::nullopt, executable), bundle) << "a build tree's folder holds no task";
  add_task(source);
  EXPECT_EQ(suite_folder_for(std::nullopt, executable), source);
  EXPECT_EQ(suite_folder_for(std::nullopt, root_ / "build/asan/bin/ridgeline"), source);
  EXPECT_EQ(suite_folder_for(bundle.string(), executable), bundle);
  EXPECT_EQ(message_of([&] { suite_folder_for("/no/such", executable); }),
            "RIDGELINE_TASKS names '/no/such', which is no folder; correct it or unset it");
  EXPECT_EQ(message_of([&] { suite_folder_for(std::nullopt, "/no/such/bin/x"); }),
            "no folder with task files is at /no/benchmark_tasks, /benchmark_tasks or "
            "/no/such/share/ridgeline/benchmark_tasks; "
            "set RIDGELINE_TASKS to the folder benchmark_tasks");
}

TEST(Glob, MatchesWholeNames) {
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("mat*", "matmul"));
  EXPECT_TRUE(matches_glob("*_w?a8", "matmul_w8a8"));
  EXPECT_FALSE(matches_glob("mat", "matmul"));
  EXPECT_FALSE(matches_glob("?", ""));
  EXPECT_TRUE(matches_glob("**m*l*", "matmul"));
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_FALSE(matches_glob("*mul?", "matmul"));
  EXPECT_TRUE(matches_glob("*ab", "aabab"));
}

TEST(Glob, ManyStarsTakeNoLongerThanOne) {
  std::string stars;
  for (int i = 0; i < 30; ++i) stars += "*a";
  EXPECT_FALSE(matches_glob(stars + "b", std::string(200, 'a')));
}

}  // namespace
}  // namespace ridgeline::benchmark_tasks
