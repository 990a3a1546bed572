#include "engine/core/task.hpp"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

TEST(OnBackend, DropsTheCasesOfOthersAndHashesWhatIsLeft) {
  Task task;
  task.cases = {
      {.name = "small"}, {.name = "typical", .backend = "cpu"}, {.name = "large", .backend = "cuda"}};
  task.hash = hash_of(task);
  const auto cpu = on_backend(task, "cpu"), cuda = on_backend(task, "cuda");
  ASSERT_EQ(cpu.cases.size(), 2u);
  EXPECT_EQ(cpu.cases[1].name, "typical");
  ASSERT_EQ(cuda.cases.size(), 2u);
  EXPECT_EQ(cuda.cases[1].name, "large");
  EXPECT_EQ(cpu.hash, hash_of(cpu));
  EXPECT_NE(cpu.hash, cuda.hash);
  EXPECT_NE(cpu.hash, task.hash);
}

TEST(OnBackend, LeavesATaskWithoutSuchCasesAsItWas) {
  Task task;
  task.cases = {{.name = "small"}};
  task.hash = hash_of(task);
  EXPECT_EQ(on_backend(task, "cuda").hash, task.hash);
}

}  // namespace
}  // namespace ridgeline
