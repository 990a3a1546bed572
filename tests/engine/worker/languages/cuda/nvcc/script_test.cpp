// The scripts run for real, though unconfined, over steps that are small programs of the shell.
#include "engine/worker/languages/cuda/nvcc/script.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::nvcc {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

Plan::Words shell(const std::string& script) {
  return {"/bin/sh", "-c", script, "tool"};
}

class NvccScript : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "ridgeline-steps-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::create_directory(folder_ / "headers");
    fs::create_directory(folder_ / "early");
    for (const auto pipe : {kStubPipe, kFatbinPipe}) ASSERT_EQ(::mkfifo((folder_ / pipe).c_str(), 0600), 0);
    plan_.expand_host = shell("echo expand host >&2; echo text >kernel.cpp4.ii");
    plan_.cudafe = shell("echo cudafe >&2; echo head >kernel.cudafe1.cpp; echo rest >>kernel.cudafe1.cpp");
    plan_.expand_device = shell("echo expand device >&2");
    plan_.cicc = shell("echo cicc >&2; cat kernel.module_id >kernel.cudafe1.stub.c");
    plan_.ptxas = shell("echo ptxas >&2");
    plan_.fatbinary = shell("echo fatbinary >&2; echo code >kernel.fatbin.c");
    plan_.compile =
        shell("echo compile >&2; cat kernel.cudafe1.cpp kernel.cudafe1.stub.c kernel.fatbin.c >kernel.o");
    plan_.link = shell("echo link \"$@\" >&2");
    plan_.link.emplace_back(kTrampolineWord);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The exit status; -1 for what did not end by itself.
  int run(const std::string& script) {
    return run_words({"/bin/sh", "-c", script, "sh", "t o.o", "_id", "headers"});
  }
  /// The same, but waits until nobody holds the script's output. The status is 0 if the output ends.
  int run_until_its_output_ends(const std::string& script) {
    const auto* const all = R"(/bin/sh -c "$1" sh "t o.o" _id headers 2>&1 | cat >&2)";
    return run_words({"/bin/sh", "-c", all, "sh", script});
  }
  int run_words(const std::vector<std::string>& words) {
    sandbox::Policy policy;
    policy.isolated(sandbox::Isolation::none).in(folder_.string()).env("PATH", "/usr/bin:/bin");
    policy.limits.wall_seconds = 60;
    for (int step = 1; step <= 8; ++step)
      fs::remove(folder_ / (std::to_string(step) + ".log"));  // of the last run
    const auto exit = sandbox::spawn(policy, words).wait();
    said_ = exit.err;
    return exit.ending == sandbox::Ending::exited ? exit.code : -1;
  }
  std::string read(const char* name) const {
    std::ifstream stream{folder_ / name};
    return {std::istreambuf_iterator<char>{stream}, {}};
  }
  const std::string& said() const { return said_; }

  /// For the script with headers: steps that end as g++'s do, and what was read ahead.
  void with_headers() {
    plan_.expand_host = {"./g++", "-include", "cuda_runtime.h", "kernel.cu", "-o", "kernel.cpp4.ii"};
    plan_.expand_device = {"./g++", "-include", "cuda_runtime.h", "kernel.cu", "-o", "kernel.cpp1.ii"};
    plan_.compile = {"./g++", "kernel.cudafe1.cpp", "-o", "kernel.o"};
    plan_.cudafe = shell("cp kernel.cpp4.ii kernel.cudafe1.cpp");
    plan_.cicc = shell("cp kernel.cpp1.ii cicc.read; echo stub >kernel.cudafe1.stub.c");
    std::ofstream{folder_ / "headers" / "host.ii"} << "header\n";
    std::ofstream{folder_ / "headers" / "device.ii"} << "device header\n";
    std::ofstream{folder_ / "headers" / "host.hpp"} << "header\n";
    compiler(R"(
case "$*" in
  *-imacros*.macros\ kernel.cu\ *) printf '# 0 "x"\n# 1 "kernel.cu"\nsource\n' >"$out" ;;
  *\ kernel.cu\ *) printf 'header\n# 1 "kernel.cu"\nsource, whole\n' >"$out" ;;
  "-include headers/host.hpp early/kernel.cudafe1.cpp -o kernel.o")
    { echo early; cat early/kernel.cudafe1.cpp early/kernel.cudafe1.stub.c early/kernel.fatbin.c; } >"$out" ;;
  *) { echo whole; cat kernel.cudafe1.cpp kernel.cudafe1.stub.c kernel.fatbin.c; } >"$out" ;;
esac
)");
  }
  void compiler(const std::string& script) {
    std::ofstream{folder_ / "g++"} << "#!/bin/sh\nfor out; do :; done\n" + script;
    fs::permissions(folder_ / "g++", fs::perms::owner_all);
  }

  fs::path folder_;
  std::string said_;
  Plan plan_;
};

TEST_F(NvccScript, MessagesComeInNvccsOrder) {
  plan_.expand_host = shell("cat wait >&2");
  plan_.expand_device = shell("echo expand device >&2; echo device was first >wait");
  ASSERT_EQ(::mkfifo((folder_ / "wait").c_str(), 0600), 0);
  EXPECT_EQ(run(script_without_headers(plan_)), 0);
  EXPECT_EQ(said(), "device was first\ncudafe\nexpand device\ncicc\nptxas\nfatbinary\ncompile\nlink t o.o\n");
}

TEST_F(NvccScript, BothSidesRunAtTheSameTime) {
  for (const char* pipe : {"to-host", "to-device"}) ASSERT_EQ(::mkfifo((folder_ / pipe).c_str(), 0600), 0);
  plan_.cudafe = shell("cat to-host >&2; echo from the host >to-device; echo >kernel.cudafe1.cpp");
  plan_.cicc = shell("echo from the device >to-host; cat to-device >&2; echo >kernel.cudafe1.stub.c");
  EXPECT_EQ(run(script_without_headers(plan_)), 0) << "one after the other would wait forever";
  EXPECT_THAT(said(), HasSubstr("from the host\n"));
}

TEST_F(NvccScript, ModuleIdIsThereForBothSides) {
  EXPECT_EQ(run(script_without_headers(plan_)), 0);
  EXPECT_EQ(read("kernel.o"), "head\nrest\n_idcode\n");
}

TEST_F(NvccScript, AFailureEndsItWithItsOwnMessagesAndThoseBefore) {
  auto plan = plan_;
  plan.cudafe = shell("echo 'kernel.cu(3): error' >&2; exit 2");
  EXPECT_GT(run(script_without_headers(plan)), 0);
  EXPECT_EQ(said(), "expand host\nkernel.cu(3): error\n") << "not the device side's words for it";
  plan = plan_;
  plan.ptxas = shell("echo 'ptxas error' >&2; exit 255");
  EXPECT_GT(run(script_without_headers(plan)), 0);
  EXPECT_EQ(said(), "expand host\ncudafe\nexpand device\ncicc\nptxas error\n");
  plan = plan_;
  plan.compile = shell("echo no >&2; exit 1");
  EXPECT_GT(run(script_without_headers(plan)), 0);
  EXPECT_THAT(said(), AllOf(HasSubstr("fatbinary\nno\n"), Not(HasSubstr("link"))));
  plan = plan_;
  plan.link = shell("echo undefined >&2; exit 1");
  EXPECT_GT(run(script_without_headers(plan)), 0);
  EXPECT_THAT(said(), HasSubstr("compile\nundefined\n"));
}

TEST_F(NvccScript, AKilledStepIsReportedAsNvccDoes) {
  plan_.cicc = shell("kill -9 $$");
  EXPECT_GT(run(script_without_headers(plan_)), 0);
  EXPECT_EQ(said(), "expand host\ncudafe\nexpand device\nnvcc error   : 'sh' died due to signal 9 \n");
}

TEST_F(NvccScript, WordsAndEnvironmentReachTheStepsAsTheyAre) {
  plan_.environment = {{"SOME", "a 'b' \"c\" $d"}};
  plan_.expand_host = shell("printf '%s|' \"$SOME\" \"$@\" >&2");
  for (const char* word : {"", "two words", "it's", "$HOME `id` \"q\" \\", "*"})
    plan_.expand_host.emplace_back(word);
  plan_.expand_host.push_back(std::string{kFolderWord} + "kernel.cu");
  plan_.cudafe = shell("exit 1");
  run(script_without_headers(plan_));
  EXPECT_EQ(said(), "a 'b' \"c\" $d||two words|it's|$HOME `id` \"q\" \\|*|" +
                        fs::canonical(folder_).string() + "/kernel.cu|");
}

TEST_F(NvccScript, HeadersReadAheadStandBeforeTheSource) {
  with_headers();
  EXPECT_EQ(run(script_with_headers(plan_, 7)), 0) << said();
  EXPECT_EQ(read("cicc.read"), "device header\n# 1 \"kernel.cu\"\nsource\n");
  EXPECT_EQ(read("kernel.o"), "early\n# 1 \"kernel.cu\"\nsource\nstub\ncode\n");
  EXPECT_EQ(said(), "ptxas\nfatbinary\nlink t o.o\n");
}

TEST_F(NvccScript, AStepWithSomethingToSayIsRunAsNvccWould) {
  with_headers();
  compiler(R"(
case "$*" in *-imacros*|*early*) echo odd >&2; echo odd >"$out" ;; *) echo "plain $*" >&2; echo plain >"$out" ;; esac
)");
  plan_.cudafe = shell("cp kernel.cpp4.ii cudafe.read; cp headers/host.hpp kernel.cudafe1.cpp");
  EXPECT_EQ(run(script_with_headers(plan_, 7)), 0) << said();
  EXPECT_EQ(read("cudafe.read"), "plain\n");
  EXPECT_EQ(read("kernel.o"), "plain\n");
  EXPECT_EQ(said(),
            "plain -include cuda_runtime.h kernel.cu -o kernel.cpp4.ii\n"
            "plain -include cuda_runtime.h kernel.cu -o kernel.cpp1.ii\nptxas\nfatbinary\n"
            "plain kernel.cudafe1.cpp -o kernel.o\nlink t o.o\n");
}

TEST_F(NvccScript, AnotherHeadThanTheOneReadAheadIsCompiledWhole) {
  with_headers();
  plan_.cudafe = shell("echo other >kernel.cudafe1.cpp");
  EXPECT_EQ(run(script_with_headers(plan_, 7)), 0) << said();
  EXPECT_EQ(read("kernel.o"), "whole\nother\nstub\ncode\n");
}

TEST_F(NvccScript, WritersThatNobodyReadsFromDoNotHoldItsOutput) {
  with_headers();
  plan_.cudafe = shell("echo other >kernel.cudafe1.cpp");  // so the early compile opens no FIFO
  // More than a FIFO holds: the writer would wait for a reader even after it has opened it.
  plan_.fatbinary = shell("head -c 300000 /dev/zero >kernel.fatbin.c");
  EXPECT_EQ(run_until_its_output_ends(script_with_headers(plan_, 7)), 0) << said();
  EXPECT_EQ(said(), "ptxas\nlink t o.o\n");
  EXPECT_EQ(read("kernel.o").substr(0, 17), "whole\nother\nstub\n");
}

TEST_F(NvccScript, ACompilerThatWaitsForADeviceSideThatFailedKeepsNobodyWaiting) {
  with_headers();
  plan_.cicc = shell("echo refused >&2; exit 1");
  EXPECT_EQ(run(script_with_headers(plan_, 7)), 1);
  EXPECT_EQ(said(), "refused\n");
}

}  // namespace
}  // namespace ridgeline::nvcc
