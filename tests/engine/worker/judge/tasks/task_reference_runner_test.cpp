// Which reference runner a task has: started, warm, ended and dropped, with real confined processes.
#include "engine/worker/judge/tasks/task_reference_runner.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/engine/worker/judge/tasks/library_runner.hpp"

namespace ridgeline::judge {
namespace {

TEST(TaskReferenceRunner, IsColdAfterEachStartUntilItsFirstCallsAreDone) {
  TaskReferenceRunner runner;
  EXPECT_FALSE(runner.exists());
  EXPECT_FALSE(runner.is_alive());
  EXPECT_EQ(runner.process(), nullptr);
  runner.started(library_runner());
  EXPECT_TRUE(runner.is_alive());
  EXPECT_FALSE(runner.is_warm());
  runner.first_calls_done();
  EXPECT_TRUE(runner.is_warm());
  runner.dropped_to_make_room();
  EXPECT_FALSE(runner.exists());
  EXPECT_FALSE(runner.is_warm());
  EXPECT_EQ(runner.how_ended(), "");
  runner.started(library_runner());
  EXPECT_FALSE(runner.is_warm()) << "another interpreter has compiled nothing yet";
}

TEST(TaskReferenceRunner, SaysHowTheOneBeforeEndedUntilTheNextStarts) {
  TaskReferenceRunner runner;
  runner.started(library_runner());
  runner.ended("killed by signal 9");
  EXPECT_FALSE(runner.exists());
  EXPECT_EQ(runner.how_ended(), "killed by signal 9");
  runner.started(library_runner());
  EXPECT_EQ(runner.how_ended(), "");
}

TEST(TaskReferenceRunner, IsNeverStartedBesideOneThatLives) {
  TaskReferenceRunner runner;
  runner.started(library_runner());
  const auto* first = runner.process();
  EXPECT_THROW(runner.started(library_runner()), std::logic_error);
  EXPECT_EQ(runner.process(), first);
  runner.refused();
  runner.started(library_runner());
  EXPECT_TRUE(runner.is_alive());
}

}  // namespace
}  // namespace ridgeline::judge
