// A real runner, spoken to in good and in bad order.
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/arenas/host_arena.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "engine/core/error.hpp"
#include "tests/engine/worker/judge/builds.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;

constexpr double kLimit = 10;

class RunnerProcessTest : public testing::Test {
 protected:
  static RunnerSettings settings() {
    static const auto level = sandbox::best_level(sandbox::probe_isolation());
    RunnerSettings settings;
    settings.program = RIDGELINE_BIN_DIR "/ridgeline-runner";
    settings.scratch_parent = std::filesystem::temp_directory_path();
    settings.level = level;
    return settings;
  }
  static Answer answer_of(const RunnerAnswer& answer) {
    const auto* reply = std::get_if<Reply>(&answer);
    return reply ? reply->answer : Answer::fault;
  }
  std::filesystem::path library(const std::string& body) {
    return build_library(
        task_,
        "#include <cstdint>\nextern \"C\" void kernel_vector_add(const float* x, const float* y, "
        "float* z, int64_t N, void*) {\n" +
            body + "\n(void)x, (void)y, (void)z, (void)N;\n}\n");
  }

  Task task_ = testcase_task("vector_add");
  const Case& case_ = *task_.find_case("ragged");
  HostArena arena_{task_, case_, 4, 9};
  RunnerProcess runner_{settings()};
};

TEST_F(RunnerProcessTest, LoadsMapsArrangesAndCalls) {
  EXPECT_GT(runner_.trusted_overhead().wall, 0);
  ASSERT_EQ(answer_of(runner_.load(library("for (int64_t i = 0; i < N; ++i) z[i] = 2 * x[i];"), kLimit)),
            Answer::ok);
  ASSERT_EQ(answer_of(runner_.map(arena_, kLimit)), Answer::ok);
  ASSERT_EQ(answer_of(runner_.arrange(arena_, 4, task_, case_, kLimit)), Answer::ok);
  auto* x = reinterpret_cast<float*>(arena_.data(2, 0));
  for (std::size_t i = 0; i < 1031; ++i) x[i] = static_cast<float>(i);
  const auto batch = runner_.call(2, 1, kLimit);
  ASSERT_EQ(answer_of(batch.answer), Answer::ok);
  EXPECT_GT(batch.times.wall, 0);
  EXPECT_GT(batch.times.cpu, 0);
  EXPECT_GT(batch.times.claimed, 0);
  EXPECT_EQ(reinterpret_cast<const float*>(arena_.data(2, 2))[1030], 2060);
  EXPECT_EQ(reinterpret_cast<const float*>(arena_.data(1, 2))[1030], 0)
      << "only the slot that was named is called";
}

TEST_F(RunnerProcessTest, ARunnerThatEndsBeforeItsFirstEmptyBatchHasNoOverheadButAnError) {
  RunnerProcess runner(settings(), RunnerProcess::Starting{});
  runner.await_ready();
  ASSERT_EQ(::kill(runner.pid(), SIGKILL), 0);
  EXPECT_THROW(runner.measure_overhead(), MachineCannot);
}

TEST_F(RunnerProcessTest, CallsGoRoundOverTheSlots) {
  ASSERT_EQ(answer_of(runner_.load(library("for (int64_t i = 0; i < N; ++i) z[i] += x[i];"), kLimit)),
            Answer::ok);
  ASSERT_EQ(answer_of(runner_.map(arena_, kLimit)), Answer::ok);
  ASSERT_EQ(answer_of(runner_.arrange(arena_, 2, task_, case_, kLimit, {.calls = 5})), Answer::ok);
  for (std::size_t slot = 0; slot < 3; ++slot) {
    *reinterpret_cast<float*>(arena_.data(slot, 0)) = 1;
    *reinterpret_cast<float*>(arena_.data(slot, 2)) = 0;
  }
  ASSERT_EQ(answer_of(runner_.call(0, 5, kLimit).answer), Answer::ok);
  const float expected[] = {3, 2, 0};
  for (std::size_t slot = 0; slot < 3; ++slot)
    EXPECT_EQ(*reinterpret_cast<const float*>(arena_.data(slot, 2)), expected[slot]) << slot;
  EXPECT_EQ(answer_of(runner_.call(4, 2, kLimit).answer), Answer::refused) << "five were arranged";
}

TEST_F(RunnerProcessTest, ArenasMappedTogetherAreUsedInTurn) {
  HostArena other(task_, case_, 4, 10);
  const auto called = [&](HostArena& arena) {
    *reinterpret_cast<float*>(arena.data(1, 2)) = 0;
    EXPECT_EQ(answer_of(runner_.map(arena, kLimit)), Answer::ok);
    const auto base = runner_.mapping().bases[0];
    EXPECT_EQ(answer_of(runner_.arrange(arena, 4, task_, case_, kLimit)), Answer::ok);
    EXPECT_EQ(answer_of(runner_.call(1, 1, kLimit).answer), Answer::ok);
    EXPECT_EQ(*reinterpret_cast<float*>(arena.data(1, 2)), 7);
    return base;
  };
  ASSERT_EQ(answer_of(runner_.load(library("z[0] = 7;"), kLimit)), Answer::ok);
  ASSERT_EQ(answer_of(runner_.map_all({&arena_, &other}, kLimit)), Answer::ok);
  const auto first = called(arena_), second = called(other);
  EXPECT_NE(first, second) << "both are mapped";
  EXPECT_EQ(called(arena_), first) << "nothing was mapped anew";
  HostArena third(task_, case_, 4, 11);
  called(third);
  ASSERT_EQ(answer_of(runner_.release_memory(kLimit)), Answer::ok);
  EXPECT_EQ(answer_of(runner_.arrange(arena_, 4, task_, case_, kLimit)), Answer::refused);
  called(other);
}

TEST_F(RunnerProcessTest, WorksAtEveryLevelThatThisMachineOffers) {
  for (const auto level :
       {sandbox::Isolation::none, sandbox::Isolation::standard, sandbox::Isolation::strict}) {
    if (level > settings().level) continue;
    auto chosen = settings();
    chosen.level = level;
    RunnerProcess runner(chosen);
    ASSERT_EQ(answer_of(runner.load(library("z[0] = 5;"), kLimit)), Answer::ok) << to_string(level);
    ASSERT_EQ(answer_of(runner.map(arena_, kLimit)), Answer::ok);
    ASSERT_EQ(answer_of(runner.arrange(arena_, 4, task_, case_, kLimit)), Answer::ok);
    ASSERT_EQ(answer_of(runner.call(0, 1, kLimit).answer), Answer::ok);
    EXPECT_EQ(reinterpret_cast<const float*>(arena_.data(0, 2))[0], 5);
    arena_.shift(0);
    std::memset(arena_.data(0, 2), 0, 4);
  }
}

TEST_F(RunnerProcessTest, APausedRunnerAnswersWhenItGoesOn) {
  ASSERT_EQ(answer_of(runner_.load(library("z[0] = 1;"), kLimit)), Answer::ok);
  {
    const RunnerProcess::Pause quiet(runner_);
  }
  EXPECT_TRUE(runner_.alive());
  EXPECT_EQ(answer_of(runner_.map(arena_, kLimit)), Answer::ok);
  runner_.finish();
  EXPECT_FALSE(runner_.alive());
}

/// The state letter of /proc/PID/stat, which follows the name in parentheses: T is stopped.
char state_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto end = text.rfind(')');
  return end == std::string::npos ? '?' : text.at(end + 2);
}

TEST_F(RunnerProcessTest, ALoadedCandidateIsStoppedBetweenOrders) {
  EXPECT_NE(state_of(runner_.pid()), 'T') << "nothing of a candidate runs yet";
  ASSERT_EQ(answer_of(runner_.load(library("z[0] = 1;"), kLimit)), Answer::ok);
  EXPECT_EQ(state_of(runner_.pid()), 'T');
  ASSERT_EQ(answer_of(runner_.map(arena_, kLimit)), Answer::ok);
  EXPECT_EQ(state_of(runner_.pid()), 'T');
  ASSERT_EQ(answer_of(runner_.arrange(arena_, 4, task_, case_, kLimit)), Answer::ok);
  EXPECT_EQ(state_of(runner_.pid()), 'T');
  ASSERT_EQ(answer_of(runner_.call(0, 2, kLimit).answer), Answer::ok);
  EXPECT_EQ(state_of(runner_.pid()), 'T');
  {
    const RunnerProcess::Pause pause(runner_);
  }
  EXPECT_EQ(state_of(runner_.pid()), 'T') << "a pause does not continue what was stopped before it";
}

TEST_F(RunnerProcessTest, TheTimeOfACallThatNeverBlocksIsSeenAtOnce) {
  ASSERT_EQ(answer_of(runner_.load(library("for (volatile int i = 0; i < 3'000'000; i = i + 1) {}"), kLimit)),
            Answer::ok);
  ASSERT_EQ(answer_of(runner_.map(arena_, kLimit)), Answer::ok);
  ASSERT_EQ(answer_of(runner_.arrange(arena_, 4, task_, case_, kLimit)), Answer::ok);
  runner_.call(0, 1, kLimit);
  const auto batch = runner_.call(1, 1, kLimit);
  ASSERT_EQ(answer_of(batch.answer), Answer::ok);
  EXPECT_GT(batch.times.cpu, 0.5e-3) << "three million steps of a loop";
  const auto next = runner_.call(2, 0, kLimit);
  EXPECT_EQ(next.times.outside_cpu, 0) << "nothing is left to be counted later";
}

TEST(Pause, TellsWhetherItsProcessComputedForAllThat) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (volatile bool on = true; on;) {
    }
  }
  {
    const RunnerProcess::Pause pause(child);
    ::usleep(50'000);
    EXPECT_FALSE(pause.ran());
    ::kill(child, SIGCONT);
    for (int looks = 0; looks < 1000 && !pause.ran(); ++looks) ::usleep(10'000);
    EXPECT_TRUE(pause.ran());
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(RunnerProcessTest, NonsenseIsRefusedAndSurvived) {
  ASSERT_EQ(answer_of(runner_.load(library(""), kLimit)), Answer::ok);
  EXPECT_EQ(answer_of(runner_.call(0, 1, kLimit).answer), Answer::refused) << "nothing is arranged";
  ASSERT_EQ(answer_of(runner_.map(arena_, kLimit)), Answer::ok);
  ASSERT_EQ(answer_of(runner_.arrange(arena_, 4, task_, case_, kLimit)), Answer::ok);
  EXPECT_EQ(answer_of(runner_.call(3, 2, kLimit).answer), Answer::refused);
  EXPECT_EQ(answer_of(runner_.call(0xFFFFFFFF, 2, kLimit).answer), Answer::refused);
  EXPECT_EQ(answer_of(runner_.call(3, 1, kLimit).answer), Answer::ok);
}

TEST_F(RunnerProcessTest, AFileThatIsNoLibraryIsALoadError) {
  const auto path = std::filesystem::temp_directory_path() / ("no-library-" + std::to_string(::getpid()));
  std::ofstream(path) << "not an ELF file";
  const auto answer = runner_.load(path, kLimit);
  std::filesystem::remove(path);
  ASSERT_TRUE(std::holds_alternative<Reply>(answer));
  EXPECT_EQ(std::get<Reply>(answer).answer, Answer::load_error);
  EXPECT_GT(std::get<Reply>(answer).text_bytes, 0u);
}

TEST_F(RunnerProcessTest, ACrashIsToldWithItsPlace) {
  ASSERT_EQ(answer_of(runner_.load(library("*static_cast<volatile int*>(nullptr) = 1;"), kLimit)),
            Answer::ok);
  ASSERT_EQ(answer_of(runner_.map(arena_, kLimit)), Answer::ok);
  ASSERT_EQ(answer_of(runner_.arrange(arena_, 4, task_, case_, kLimit)), Answer::ok);
  const auto batch = runner_.call(0, 1, kLimit);
  const auto* end = std::get_if<RunnerExit>(&batch.answer);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->cause, RunnerExit::Cause::ended);
  EXPECT_EQ(end->outcome.ending, sandbox::Ending::signalled);
  ASSERT_TRUE(end->fault);
  EXPECT_EQ(end->fault->fault_address, 0u);
  EXPECT_NE(end->fault->fault_offset, 0u);
  const auto later = runner_.call(0, 1, kLimit);
  EXPECT_TRUE(std::holds_alternative<RunnerExit>(later.answer)) << "an ended runner stays ended";
}

TEST_F(RunnerProcessTest, AHangEndsAtItsLimit) {
  ASSERT_EQ(answer_of(runner_.load(library("for (volatile bool on = true; on;) {}"), kLimit)), Answer::ok);
  ASSERT_EQ(answer_of(runner_.map(arena_, kLimit)), Answer::ok);
  ASSERT_EQ(answer_of(runner_.arrange(arena_, 4, task_, case_, kLimit)), Answer::ok);
  const auto batch = runner_.call(0, 1, 0.05);
  const auto* end = std::get_if<RunnerExit>(&batch.answer);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->cause, RunnerExit::Cause::hung);
}

}  // namespace
}  // namespace ridgeline::judge
