// Every kernel of tests/testcases, honest or not, through the real judge and runner: the verdict that its
// header comment expects, with the same reason, on an idle machine and with both cores busy.
//
//   // task: vector_add
//   // expect: timing wrong_when_timed | correctness wrong_values
//   // with: takeover.inc                (text that stands before it, from the same folder)
//   // cheated: yes                      (only where the verdict must say so; `no` where it must not)
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include "judge_program.hpp"

namespace ridgeline::judge {
namespace {

namespace fs = std::filesystem;

struct Testcase {
  std::string name;
  std::string source;
  std::string task;
  std::set<std::string> expected;  // "passed", or "stage reason"
  std::string cheated;
  bool honest = false;  // from honest/: nothing about it is suspected, however busy the machine
};

void PrintTo(const Testcase& testcase, std::ostream* out) {
  *out << testcase.name;
}

std::string header(const std::string& source, const std::string& key) {
  const auto at = source.find("// " + key + ": ");
  if (at == std::string::npos) return {};
  const auto begin = at + key.size() + 5;
  return source.substr(begin, source.find('\n', begin) - begin);
}

Testcase read_testcase(const fs::path& path) {
  Testcase testcase{
      path.stem().string(), read_text(path), {}, {}, {}, path.parent_path().filename() == "honest"};
  if (const auto with = header(testcase.source, "with"); !with.empty())
    testcase.source = read_text(path.parent_path() / with) + testcase.source;
  testcase.task = header(testcase.source, "task");
  testcase.cheated = header(testcase.source, "cheated");
  std::stringstream expected(header(testcase.source, "expect"));
  for (std::string one; std::getline(expected, one, '|');) {
    one.erase(0, one.find_first_not_of(' '));
    one.erase(one.find_last_not_of(' ') + 1);
    testcase.expected.insert(one);
  }
  if (testcase.task.empty() || testcase.expected.empty())
    throw std::runtime_error(path.string() + " lacks '// task:' or '// expect:'");
  return testcase;
}

std::vector<Testcase> testcases() {
  std::vector<Testcase> all;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(RIDGELINE_SOURCE_DIR) / "tests/testcases"))
    if (entry.path().extension() == ".cpp") all.push_back(read_testcase(entry.path()));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

std::string outcome_of(const Verdict& verdict) {
  const auto failed = verdict.failed_at();
  if (!failed) return verdict.cheated ? "passed but cheated" : "passed";
  return std::string(to_string(*failed)) + " " + std::string(to_string(verdict.at(*failed).reason));
}

void expect_verdict(const Testcase& testcase, const Verdict& verdict) {
  EXPECT_TRUE(testcase.expected.contains(outcome_of(verdict)))
      << testcase.name << ": " << outcome_of(verdict) << ", expected " << header(testcase.source, "expect")
      << "\n"
      << shown(verdict);
  if (testcase.honest) {
    EXPECT_TRUE(verdict.suspicions().empty()) << testcase.name << "\n" << shown(verdict);
  }
  if (testcase.cheated.empty()) return;
  EXPECT_EQ(verdict.cheated, testcase.cheated == "yes") << testcase.name << "\n" << shown(verdict);
}

/// One judge for all: whatever a candidate does, the next one must be judged as if it had never been.
class Testcases : public testing::TestWithParam<Testcase> {
 protected:
  static void SetUpTestSuite() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // so that what a runner leaves behind comes to us
    judge_ = std::make_unique<JudgeProgram>();
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(judge_->quit(), 0);
    judge_.reset();
    int status = 0;
    EXPECT_EQ(::waitpid(-1, &status, WNOHANG), -1) << "a process is left over";
    EXPECT_EQ(errno, ECHILD);
  }
  static std::unique_ptr<JudgeProgram> judge_;
};
std::unique_ptr<JudgeProgram> Testcases::judge_;

TEST_P(Testcases, HasItsVerdict) {
  const auto& testcase = GetParam();
  const auto verdict = judge_source(*judge_, testcase_task(testcase.task), testcase.source);
  std::printf("%s\n%s", testcase.name.c_str(), shown(verdict).c_str());
  expect_verdict(testcase, verdict);
}

INSTANTIATE_TEST_SUITE_P(All, Testcases, testing::ValuesIn(testcases()),
                         [](const auto& instance) { return instance.param.name; });

/// Two processes that never rest.
class BusyCores {
 public:
  BusyCores() {
    for (auto& pid : pids_) {
      pid = ::fork();
      if (pid != 0) continue;
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;) asm volatile("");
    }
  }
  BusyCores(const BusyCores&) = delete;
  BusyCores& operator=(const BusyCores&) = delete;
  ~BusyCores() {
    for (const auto pid : pids_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }

 private:
  pid_t pids_[2];
};

TEST(TestcasesUnderLoad, KeepTheirVerdicts) {
  const auto all = testcases();
  for (const auto& testcase : all) build_library(testcase_task(testcase.task), testcase.source);
  JudgeProgram judge;
  const BusyCores busy;
  for (const auto& testcase : all)
    expect_verdict(testcase, judge_source(judge, testcase_task(testcase.task), testcase.source));
}

}  // namespace
}  // namespace ridgeline::judge
