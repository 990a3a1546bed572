// Decides without a process: which end is reported, which level is refused, how the view is laid out.
#include <csignal>

#include "engine/worker/sandbox/view.hpp"
#include "sandbox_test.hpp"

namespace ridgeline::sandbox {
namespace {

ConfinedExit classified(bool signalled, int code, double cpu = 0, std::optional<Ending> cause = {},
                        Isolation level = Isolation::standard, std::string err = {}) {
  return classify(cause, {{signalled, code}, cpu, level, std::move(err)}, Limits{.cpu_seconds = 2});
}

TEST(Classify, TheLimitThatKilledWinsOverTheSignal) {
  EXPECT_EQ(classified(true, SIGKILL, 0, Ending::memory_limit).ending, Ending::memory_limit);
}

TEST(Classify, ReadsSignalsAndStatus) {
  EXPECT_EQ(classified(false, 3).code, 3);
  EXPECT_EQ(classified(true, SIGSEGV).ending, Ending::signalled);
  EXPECT_EQ(classified(true, SIGSYS).ending, Ending::refused_syscall);
  EXPECT_EQ(classified(true, SIGKILL).ending, Ending::signalled);
}

TEST(Classify, BlamesTheCpuLimitWhenADescendantWasKilled) {
  EXPECT_EQ(classified(true, SIGKILL, 1.9).ending, Ending::cpu_limit);
  EXPECT_EQ(classified(true, SIGKILL, 1.0).ending, Ending::signalled);
  EXPECT_EQ(classified(false, 1, 1.9).ending, Ending::exited);
  EXPECT_EQ(classified(false, 1, 2.1).ending, Ending::cpu_limit);
  EXPECT_EQ(classified(false, 0, 2.1).ending, Ending::exited);
  EXPECT_EQ(classified(true, SIGXCPU).ending, Ending::cpu_limit);
}

TEST(Classify, ReadsTheSignalFromAnInitsStatus) {
  EXPECT_EQ(classified(false, 128 + SIGABRT, 0, {}, Isolation::strict).ending, Ending::signalled);
  EXPECT_EQ(classified(false, 128 + SIGABRT).ending, Ending::exited);
}

TEST(Classify, ReadsTheRefusedCallFromTheRunnersNotice) {
  EXPECT_EQ(classified(true, SIGSYS, 0, {}, Isolation::strict, "x\nridgeline: refused system call 999999\n")
                .refused_call,
            "999999");
  EXPECT_EQ(classified(true, SIGSYS, 0, {}, Isolation::strict, "ridgeline: refused system call").refused_call,
            "");
}

TEST(Names, EndingsAndLevelsArePinned) {
  EXPECT_EQ(all_names<Isolation>(), (std::vector<std::string>{"none", "standard", "strict"}));
  EXPECT_EQ(
      all_names<Ending>(),
      (std::vector<std::string>{"exited", "signalled", "refused_syscall", "wall_limit", "cpu_limit",
                                "memory_limit", "process_limit", "output_limit", "killed", "idle_limit"}));
}

// Verdicts and hellos store these words.
TEST(IsolationDetails, ArePinned) {
  IsolationProbe probe;
  probe.landlock_abi = 7;
  EXPECT_EQ(isolation_details(Isolation::strict, probe),
            "user, pid, net, ipc, mount, uts namespaces; Landlock 7; seccomp");
  EXPECT_EQ(isolation_details(Isolation::standard, probe), "Landlock 7; seccomp; process group");
  EXPECT_EQ(isolation_details(Isolation::none, probe), "limits and a process group only");
}

TEST(RequireIsolation, RefusesWithTheReasonItsFixAndTheKeyThatAllowsLess) {
  IsolationProbe probe;
  probe.strict.push_back({"user namespace", "clone: Operation not permitted", "sysctl x=1"});
  EXPECT_EQ(best_level(probe), Isolation::standard);
  EXPECT_NO_THROW(require_isolation(Isolation::standard, probe));
  try {
    require_isolation(Isolation::strict, probe);
    FAIL() << "not refused";
  } catch (const MachineCannot& refusal) {
    const std::string text = refusal.what();
    for (const char* part :
         {"user namespace", "Operation not permitted", "sysctl x=1", "isolation: standard"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in: " << text;
  }
  probe.standard.push_back({"Landlock", "Function not implemented", "a newer kernel"});
  EXPECT_EQ(best_level(probe), Isolation::none);
  EXPECT_THROW(require_isolation(Isolation::standard, probe), MachineCannot);
  EXPECT_NO_THROW(require_isolation(Isolation::none, probe));
}

TEST(View, MakesLinksAgainAndChangesNoBoundFolder) {
  ScratchFolder scratch;
  const auto root = std::filesystem::canonical(scratch.path());
  std::filesystem::create_directories(root / "real/inner");
  std::filesystem::create_directory_symlink("real", root / "link");
  Policy policy;
  policy.write(root / "real/inner").read(root / "link");
  std::vector<std::string> seen;
  for (const auto& step : plan_view(policy)) {
    if (step.target == root / "link") {
      EXPECT_EQ(step.source, "real");
      EXPECT_EQ(step.kind, ViewStep::Kind::symlink);
    }
    if (step.kind == ViewStep::Kind::bind) seen.push_back(step.target + (step.read_only ? " ro" : " rw"));
    if (step.kind == ViewStep::Kind::folder) {
      EXPECT_NE(step.target, root / "real/inner") << "would be made on the host";
    }
  }
  EXPECT_EQ(seen, (std::vector<std::string>{(root / "real").string() + " ro",
                                            (root / "real/inner").string() + " rw"}));
  EXPECT_THROW(plan_view(Policy{}.read("relative")), BadInput);
}

}  // namespace
}  // namespace ridgeline::sandbox
