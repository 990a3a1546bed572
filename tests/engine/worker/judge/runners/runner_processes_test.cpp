// The pool of runners over real processes: a few of what runner_pool_test.cpp shows without.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/core/error.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"

namespace ridgeline::judge {
namespace {

RunnerSettings settings() {
  static const auto level = sandbox::best_level(sandbox::probe_isolation());
  RunnerSettings settings;
  settings.program = RIDGELINE_BIN_DIR "/ridgeline-runner";
  settings.scratch_parent = std::filesystem::temp_directory_path();
  settings.level = level;
  return settings;
}

TEST(RunnerProcesses, AreStartedAheadAndHandedOut) {
  RunnerProcessFactory factory(settings(), std::nullopt, "/nowhere/libcupti.so.13");
  RunnerPool pool(factory);
  for (const auto kind : {RunnerKind::library, RunnerKind::counting}) {
    pool.start(kind, 1, 1);
    EXPECT_TRUE(take_process(pool, kind)->alive());
  }
  pool.start(RunnerKind::library, 1, 1);
  pool.wait_for_background_work();
  EXPECT_TRUE(take_process(pool, RunnerKind::library)->alive());
}

TEST(RunnerProcesses, AreGoneOnceTheirEndWasAwaited) {
  RunnerProcessFactory factory(settings(), std::nullopt, std::nullopt);
  RunnerPool pool(factory);
  auto runner = take_process(pool, RunnerKind::library);
  const auto pid = runner->pid();
  EXPECT_EQ(::kill(pid, 0), 0);
  pool.retire(std::move(runner));
  pool.wait_for_retired();
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(RunnerProcesses, ThatDidNotStartAheadAreStartedAgainWhenTheyAreTaken) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("ridgeline-pool-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  auto flaky = settings();
  flaky.level = sandbox::Isolation::none;
  flaky.program = folder / "runner";
  std::ofstream(flaky.program) << "#!/bin/sh\n[ -e " << (folder / "room").string() << " ] || exit 3\nexec "
                               << settings().program.string() << " \"$@\"\n";
  std::filesystem::permissions(flaky.program, std::filesystem::perms::owner_all);
  RunnerProcessFactory factory(flaky, std::nullopt, std::nullopt);
  RunnerPool pool(factory);
  EXPECT_THROW(pool.take(RunnerKind::library), MachineCannot) << "there is no room yet";
  pool.start(RunnerKind::library, 1, 1);
  pool.wait_for_background_work();
  EXPECT_FALSE(pool.now().starting_or_ending);
  std::ofstream(folder / "room").flush();
  EXPECT_TRUE(pool.take(RunnerKind::library)->alive());
  std::filesystem::remove_all(folder);
}

TEST(RunnerProcesses, AnInterpreterThatEndsAheadOfTheBarrierIsNoRunner) {
  auto broken = settings();
  broken.level = sandbox::Isolation::none;
  broken.cuda_device = 0;
  broken.python =
      PythonProgram{.program = "/bin/false", .library = "/nowhere", .folders = {}, .torch_version = ""};
  EXPECT_THROW(RunnerProcess{broken}, MachineCannot);
  RunnerProcessFactory factory(settings(), broken, std::nullopt);
  RunnerPool pool(factory);
  pool.start(RunnerKind::python, 4, 1);
  pool.wait_for_background_work();  // meets those that ended ahead of the barrier
  pool.start(RunnerKind::python, 4, 1);
  pool.wait_for_background_work();
  EXPECT_FALSE(pool.now().starting_or_ending);
  EXPECT_THROW(pool.take(RunnerKind::python), MachineCannot);
}

}  // namespace
}  // namespace ridgeline::judge
