// Tests what a candidate may do once it runs, and what its static constructors may do while it is loaded.
#include <csignal>

#include "engine/worker/sandbox/process_tree.hpp"
#include "sandbox_test.hpp"

namespace ridgeline::sandbox {
namespace {

class LockedDown : public Sandbox {
 protected:
  ConfinedExit running(std::vector<std::string> danger) const { return under("running", std::move(danger)); }
  ConfinedExit loading(std::vector<std::string> danger) const { return under("loading", std::move(danger)); }
  ConfinedExit interpreter(std::vector<std::string> danger) const {
    danger.insert(danger.begin(), "interpreter");  // which starts as compilers do
    return misbehave_under(policy(SeccompProfile::compiler), danger);
  }

 private:
  ConfinedExit under(const char* stage, std::vector<std::string> danger) const {
    danger.insert(danger.begin(), stage);
    return misbehave_under(policy(), danger);
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, LockedDown, testing::Values(Isolation::strict, Isolation::standard),
                         isolation_name);

TEST_P(LockedDown, ComputingIsAllowed) {
  const auto exit = running({"compute"});
  EXPECT_EQ(exit.code, 7) << describe(exit);
  EXPECT_NE(exit.err.find("sum 1572864"), std::string::npos) << exit.err;
}

TEST_P(LockedDown, RefusedCallIsNamed) {
  const auto exit = running({"timer"});
  EXPECT_EQ(exit.ending, Ending::refused_syscall) << describe(exit);
  EXPECT_EQ(exit.refused_call, "setitimer");
}

TEST_P(LockedDown, RunningCandidateMayUseMemoryAndNothingElse) {
  const std::vector<std::vector<std::string>> all = {{"read", "/usr/lib/os-release"},
                                                     {"write", "/tmp/x"},
                                                     {"fork"},
                                                     {"thread"},
                                                     {"socket"},
                                                     {"timerfd"},
                                                     {"exec", own_program()},
                                                     {"kill", "1"},
                                                     {"map_code"},
                                                     {"signal_handler"},
                                                     {"io_uring"},
                                                     {"pause"},
                                                     {"ptrace", "1"},
                                                     {"truncate", "/tmp/x"},
                                                     {"namespace"}};
  for (const auto& danger : all) EXPECT_EQ(running(danger).ending, Ending::refused_syscall) << danger.front();
}

TEST_P(LockedDown, LoadingMayReadLibrariesAndMapCodeOnly) {
  EXPECT_TRUE(loading({"read", "/usr/lib/os-release"}).ok());
  EXPECT_TRUE(loading({"map_code"}).ok());
  const std::vector<std::vector<std::string>> all = {{"write", "/tmp/x"},
                                                     {"fork"},
                                                     {"thread"},
                                                     {"socket"},
                                                     {"timer"},
                                                     {"timerfd"},
                                                     {"exec", own_program()},
                                                     {"kill", "1"},
                                                     {"signal_handler"},
                                                     {"io_uring"},
                                                     {"ptrace", "1"},
                                                     {"truncate", "/tmp/x"}};
  for (const auto& danger : all) EXPECT_EQ(loading(danger).ending, Ending::refused_syscall) << danger.front();
}

TEST_P(LockedDown, NoConstructorLaysAFilterOrChangesTheOneThatFollows) {
  for (const char* danger : {"own_filter", "changed_filter", "moved_filter"})
    EXPECT_EQ(loading({danger}).ending, Ending::refused_syscall) << danger;
}

TEST_P(LockedDown, ItsSecondFilterIsCountedFromOutside) {
  const auto filters_under = [&](const std::vector<std::string>& danger) {
    std::vector<std::string> command = {own_program(), "--misbehave"};
    command.insert(command.end(), danger.begin(), danger.end());
    auto child = spawn(policy(), command);
    std::optional<unsigned> filters;
    for (int looks = 0; looks < 500 && filters.value_or(0) < 3 && !child.step(std::chrono::milliseconds(2));
         ++looks)
      filters = seccomp_filters(child.pid());
    child.kill_tree();
    return filters.value_or(0);
  };
  EXPECT_EQ(filters_under({"between", "nothing"}), 3u) << "at exec, before the load and after it";
  EXPECT_EQ(filters_under({"loading", "loop"}), 2u);
}

TEST_P(LockedDown, AnInterpretersProbesFailAndEndNothing) {
  EXPECT_EQ(interpreter({"mkdir", "/tmp/cache"}).code, misbehave::kRefused);
  EXPECT_EQ(interpreter({"ask_for_user"}).code, misbehave::kRefused) << "a daemon for users' names";
  EXPECT_TRUE(interpreter({"own_usage"}).ok());
  EXPECT_TRUE(interpreter({"read", "/usr/lib/os-release"}).ok());
}

TEST_P(LockedDown, AnInterpreterReachesNoFurtherThanALoad) {
  const std::vector<std::vector<std::string>> all = {{"write", "/tmp/x"}, {"fork"},
                                                     {"thread"},          {"socket"},
                                                     {"unix_socket"},     {"timer"},
                                                     {"timerfd"},         {"exec", own_program()},
                                                     {"kill", "1"},       {"signal_handler"},
                                                     {"io_uring"},        {"ptrace", "1"},
                                                     {"own_filter"},      {"truncate", "/tmp/x"}};
  for (const auto& danger : all)
    EXPECT_EQ(interpreter(danger).ending, Ending::refused_syscall) << danger.front();
}

TEST_P(LockedDown, AbortAndUncaughtExceptionEndAsSigabrt) {
  for (const char* danger : {"abort", "throw"}) {
    const auto exit = running({danger});
    EXPECT_EQ(exit.ending, Ending::signalled) << danger << ": " << describe(exit);
    EXPECT_EQ(exit.code, SIGABRT) << danger;
  }
  EXPECT_NE(running({"throw"}).err.find("nobody catches this"), std::string::npos);
}

TEST_P(LockedDown, SegmentationFaultIsReported) {
  const auto exit = running({"touch_null"});
  EXPECT_EQ(exit.code, SIGSEGV) << describe(exit);
}

}  // namespace
}  // namespace ridgeline::sandbox
