// Tests which slots and tasks the cache keeps between candidates, and which it drops when they are too many.
#include "engine/worker/judge/tasks/task_cache.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/tasks/library_runner.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kSlots = 96;
constexpr int kTasks = 6, kRounds = 20;

Task task_number(int number) {
  auto task = testcase_task("vector_add");
  task.name += std::to_string(number);
  return task;
}

class TheTaskCache : public testing::Test {
 protected:
  /// Uses a task as a candidate would: makes its slots where there are none. Returns whether they were there.
  bool use(TaskCache& cache, int number) {
    auto& prepared = cache.get(task_number(number));
    auto& one = *prepared.cases().front();
    const bool there = one.timing_arena != nullptr;
    if (!there) one.timing_arena = backend_.memory().make_arena(prepared.task(), one.definition(), kSlots);
    cache.trim();
    return there;
  }
  std::size_t bytes_of_one() {
    TaskCache alone(std::size_t{1} << 40, backend_);
    use(alone, 0);
    return alone.get(task_number(0)).bytes();
  }

  HostBackend backend_;
};

TEST_F(TheTaskCache, KeepsSlotsThatFit) {
  TaskCache cache(kTasks * bytes_of_one(), backend_);
  for (int i = 0; i < kTasks; ++i) EXPECT_FALSE(use(cache, i));
  for (int i = 0; i < kTasks; ++i) EXPECT_TRUE(use(cache, i));
}

TEST_F(TheTaskCache, KeepsMostSlotsOfTasksThatComeInTurnIfOneIsTooMany) {
  TaskCache cache((kTasks - 1) * bytes_of_one(), backend_);
  int found = 0;
  for (int round = 0; round < kRounds; ++round)
    for (int i = 0; i < kTasks; ++i) found += use(cache, i) ? 1 : 0;
  EXPECT_GT(found, kTasks * kRounds / 2) << "the longest unused first, and none would be found";
  EXPECT_LT(found, kTasks * (kRounds - 1)) << "one is too many";
  EXPECT_EQ(cache.size(), kTasks) << "only slots go";
}

TEST_F(TheTaskCache, DropsTheLongestUnusedTasksIfFreeingSlotsIsNotEnough) {
  TaskCache cache(1, backend_);
  for (int i = 0; i < kTasks; ++i) use(cache, i);
  EXPECT_TRUE(use(cache, kTasks - 1)) << "the task used last keeps all that it has";
  EXPECT_EQ(cache.size(), 1u);
}

TEST_F(TheTaskCache, KeepsTheReferenceRunnerOfTheTaskUsedLastAlone) {
  TaskCache cache(std::size_t{1} << 40, backend_);
  auto& first = cache.get(task_number(0)).reference_runner();
  first.started(library_runner());
  cache.get(task_number(0));
  EXPECT_TRUE(first.is_alive());
  cache.get(task_number(1));
  EXPECT_FALSE(first.exists());
}

}  // namespace
}  // namespace ridgeline::judge
