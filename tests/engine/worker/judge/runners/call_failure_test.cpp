// Tests how a runner's exit is explained to people. No process runs.
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/arenas/host_arena.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "tests/engine/worker/judge/arenas/placed_arena.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

class CallFailureTest : public testing::Test {
 protected:
  CallEnd explain(RunnerExit::Cause cause, sandbox::Ending ending, int code = 0, std::string refused = {}) {
    RunnerExit end;
    end.cause = cause;
    end.outcome.ending = ending;
    end.outcome.code = code;
    end.outcome.refused_call = std::move(refused);
    end.fault = fault_;
    return explain_end(end, 2, mapping_, &arena_, task_);
  }

  Task task_ = testcase_task("vector_add");
  HostArena arena_{task_, *task_.find_case("ragged"), 2, 5};
  runner::Reply mapping_;
  std::optional<runner::Reply> fault_;
};

TEST_F(CallFailureTest, ReasonsOfEnds) {
  using Cause = RunnerExit::Cause;
  EXPECT_EQ(explain(Cause::ended, sandbox::Ending::signalled, SIGSEGV).result.reason, Reason::crashed);
  EXPECT_EQ(explain(Cause::ended, sandbox::Ending::exited).result.reason, Reason::exited);
  EXPECT_EQ(explain(Cause::hung, sandbox::Ending::killed).result.reason, Reason::timed_out);
  EXPECT_EQ(explain(Cause::ended, sandbox::Ending::memory_limit).result.reason, Reason::memory_limit);
  EXPECT_EQ(explain(Cause::ended, sandbox::Ending::output_limit).result.reason, Reason::sandbox_violation);
  EXPECT_EQ(explain(Cause::forged, sandbox::Ending::killed).result.reason, Reason::sandbox_violation);
  EXPECT_TRUE(explain(Cause::forged, sandbox::Ending::killed).cheated);
  EXPECT_TRUE(explain(Cause::closed_channel, sandbox::Ending::killed).cheated);
  const auto kept_running = explain(Cause::not_stopped, sandbox::Ending::killed);
  EXPECT_EQ(kept_running.result.reason, Reason::timed_out);
  EXPECT_FALSE(kept_running.cheated) << "a driver's call can last";
}

TEST_F(CallFailureTest, AThreadIsAMistakeASocketIsNot) {
  const auto thread = explain(RunnerExit::Cause::ended, sandbox::Ending::refused_syscall, SIGSYS, "clone3");
  EXPECT_EQ(thread.result.reason, Reason::sandbox_violation);
  EXPECT_FALSE(thread.cheated);
  EXPECT_NE(thread.result.detail.find("one thread"), std::string::npos);
  EXPECT_TRUE(explain(RunnerExit::Cause::ended, sandbox::Ending::refused_syscall, SIGSYS, "socket").cheated);
}

TEST_F(CallFailureTest, NamesTheBufferNearAFault) {
  mapping_.bases = {0x10000000, 0x20000000, 0x30000000};
  fault_.emplace();
  fault_->answer = runner::Answer::fault;
  fault_->fault_address = 0x30000000 + arena_.memory_bytes(2) + 64;
  const auto behind = explain(RunnerExit::Cause::ended, sandbox::Ending::signalled, SIGSEGV);
  EXPECT_EQ(behind.failure.address, "behind the end of `z`");
  EXPECT_EQ(behind.failure.signal_name, "SIGSEGV");
  fault_->fault_address = 8;
  EXPECT_EQ(explain(RunnerExit::Cause::ended, sandbox::Ending::signalled, SIGSEGV).failure.address,
            "a null pointer");
}

TEST_F(CallFailureTest, AFaultInsideAnInputIsAWriteToIt) {
  mapping_.bases = {0x10000000, 0x20000000, 0x30000000};
  fault_.emplace();
  fault_->answer = runner::Answer::fault;
  fault_->fault_address = 0x20000000 + 2048;
  const auto written = explain(RunnerExit::Cause::ended, sandbox::Ending::signalled, SIGSEGV);
  EXPECT_EQ(written.result.reason, Reason::input_modified);
  EXPECT_EQ(written.result.detail, "the kernel wrote to the input `y`, which is read-only; inputs are const");
  EXPECT_TRUE(written.cheated);
  fault_->fault_address = 0x30000000 + 2048;  // an output
  EXPECT_EQ(explain(RunnerExit::Cause::ended, sandbox::Ending::signalled, SIGSEGV).result.reason,
            Reason::crashed);
}

TEST_F(CallFailureTest, AFaultInsideAnInputThatCouldBeWrittenIsACrash) {
  const PlacedArena arena(task_, *task_.find_case("ragged"), /*kernels_may_write=*/true);
  mapping_.bases = {0x10000000, 0x20000000, 0x30000000};
  RunnerExit end;
  end.cause = RunnerExit::Cause::ended;
  end.outcome.ending = sandbox::Ending::signalled;
  end.outcome.code = SIGSEGV;
  end.fault.emplace().answer = runner::Answer::fault;
  end.fault->fault_address = 0x20000000 + 2048;
  const auto read = explain_end(end, 2, mapping_, &arena, task_);
  EXPECT_EQ(read.result.reason, Reason::crashed);
  EXPECT_EQ(read.failure.address, "inside the memory of `y`");
  EXPECT_FALSE(read.cheated);
}

TEST_F(CallFailureTest, RefusalsOfTheLoaderAndTheTrampoline) {
  runner::Reply reply;
  reply.answer = runner::Answer::load_error;
  EXPECT_EQ(explain_refusal(reply, false).reason, Reason::load_error);
  reply.answer = runner::Answer::call_error;
  reply.code = 700;
  EXPECT_EQ(explain_refusal(reply, false).reason, Reason::launch_error);
}

TEST_F(CallFailureTest, RefusalsOfAnInterpreterAreItsOwnWords) {
  runner::Reply reply;
  const std::string_view words = "ValueError: no (line 12 of answer.py)";
  reply.text_bytes = static_cast<std::uint32_t>(words.copy(reply.text.data(), reply.text.size()));
  reply.answer = runner::Answer::call_error;
  reply.code = 1;
  EXPECT_EQ(explain_refusal(reply, true).reason, Reason::raised);
  EXPECT_EQ(explain_refusal(reply, true).detail, words);
  reply.answer = runner::Answer::load_error;
  EXPECT_EQ(explain_refusal(reply, true).reason, Reason::raised);
  reply.answer = runner::Answer::no_entry_point;
  EXPECT_EQ(explain_refusal(reply, true).reason, Reason::missing_entry_point);
}

TEST_F(CallFailureTest, WhoeverOwnsTheProcessIsNotSparedForItsAnswers) {
  runner::Reply reply;
  const std::string_view words = "no\n\x1b[2Jvector_add: correct";
  reply.text_bytes = static_cast<std::uint32_t>(words.copy(reply.text.data(), reply.text.size()));
  for (const auto answer : {runner::Answer::refused, runner::Answer::ready}) {
    reply.answer = answer;
    const auto told = explain_refusal(reply, true);
    EXPECT_EQ(told.status, Status::failed);
    EXPECT_EQ(told.reason, Reason::crashed);
    EXPECT_EQ(told.detail, "its process no longer does what it is asked: no [2Jvector_add: correct");
  }
}

}  // namespace
}  // namespace ridgeline::judge
