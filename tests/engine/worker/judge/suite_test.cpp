// The honest kernel of each native task through the real judge: all pass, none is suspected.
#include <gtest/gtest.h>

#include "benchmark_tasks/loader.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

namespace fs = std::filesystem;

std::vector<Task> native_tasks() {
  std::vector<Task> tasks;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(RIDGELINE_SOURCE_DIR) / "benchmark_tasks"))
    if (entry.path().extension() == ".yaml")
      tasks.push_back(on_backend(benchmark_tasks::load_task(entry.path()), "cpu"));
  return tasks;
}

TEST(NativeSuite, EveryHonestKernelPasses) {
  JudgeProgram judge;
  const auto tasks = native_tasks();
  ASSERT_GE(tasks.size(), 20u);
  double seconds = 0;
  for (const auto& task : tasks) {
    const auto kernel =
        fs::path(RIDGELINE_SOURCE_DIR) / "tests/benchmark_tasks/kernels" / (task.name + ".cpp");
    const auto verdict = judge_source(judge, task, read_text(kernel), {.final_cases = true});
    std::printf("%s\n%s", task.name.c_str(), shown(verdict).c_str());
    EXPECT_TRUE(verdict.correct()) << task.name << "\n" << shown(verdict);
    EXPECT_FALSE(verdict.failed_at()) << task.name << "\n" << shown(verdict);
    EXPECT_FALSE(verdict.cheated) << task.name;
    EXPECT_TRUE(verdict.final_failures.empty()) << task.name;
    EXPECT_GT(verdict.speedup(), 0) << task.name;
    EXPECT_FALSE(verdict.rooflines.empty()) << task.name;
    for (const auto& one : verdict.rooflines) {
      EXPECT_LE(one.efficiency, 1.05) << task.name << ": " << one.diagnosis;
      EXPECT_GT(one.bandwidth_share, 0) << task.name << ": " << one.diagnosis;
      EXPECT_NE(one.diagnosis.find("Hot, its operands in the L"), std::string::npos) << one.diagnosis;
    }
    ASSERT_TRUE(verdict.ceilings) << task.name;
    EXPECT_EQ(verdict.ceilings->device, verdict.device) << "under whose name the store keeps them";
    EXPECT_EQ(verdict.ceilings->levels.back().name, "memory");
    seconds += verdict.seconds;
  }
  std::printf("%zu tasks, %.2f s in the judge\n", tasks.size(), seconds);
}

}  // namespace
}  // namespace ridgeline::judge
