// The program `ridgeline-worker` itself, with a real compiler in its sandbox and a fake judge.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/worker/protocol/mailbox.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "engine/worker/sandbox/file_descriptor.hpp"
#include "tests/engine/worker/agent/fake_judge.hpp"

namespace ridgeline::agent {
namespace {

using testing::Contains;
using testing::HasSubstr;

Task scale_task() {
  Task task;
  task.name = "scale";
  task.sizes = {"N"};
  Tensor x, y;
  x.name = "x";
  x.shape = {Expression::parse("N")};
  y = x;
  y.name = "y";
  y.role = Role::out;
  task.parameters = {x, y};
  task.cases = {{"small", {{"N", 8}}, true, false, false}};
  task.reference = "def reference(x):\n  return x * 2\n";
  task.hash = hash_of(task);
  return task;
}

/// Kept between runs for its precompiled header; so a source that must be compiled is made unlike any before.
const std::string good_source =
    "// " + std::to_string(::getpid()) + " " + std::to_string(std::time(nullptr)) +
    "\n"
    "#include <cstdint>\n"
    "extern \"C\" void kernel_scale(const float* x, float* y, int64_t n, void*) {\n"
    "  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];\n"
    "}\n";

protocol::Evaluate request(const std::string& id, const std::string& source) {
  protocol::Evaluate evaluate{id, scale_task(), make_candidate(Language::cpp, source), {}};
  evaluate.settings.isolation = "none";  // whatever the machine that runs this test offers
  return evaluate;
}

/// A running worker and the pipes to it.
class WorkerTest : public testing::Test {
 protected:
  void start(const std::string& how, std::vector<std::string> more = {}) {
    ::signal(SIGPIPE, SIG_IGN);
    int to[2], from[2];
    ASSERT_EQ(::pipe2(to, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(from, O_CLOEXEC), 0);
    std::vector<std::string> words = {RIDGELINE_BIN_DIR "/ridgeline-worker", "--judge",
                                      fake_judge(folder, how), "--cache",
                                      RIDGELINE_BIN_DIR "/../test-builds"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    ended = false;
    ASSERT_EQ(::posix_spawn(&pid, words[0].c_str(), &actions, nullptr, pointers.data(), environ), 0)
        << words[0];
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(to[0]);
    ::close(from[1]);
    input.reset(to[1]);
    output.reset(from[0]);
  }
  ~WorkerTest() override {
    if (pid > 0 && !ended) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }

  protocol::FromWorker read() {
    const auto document = protocol::read_frame(output.get());
    if (!document) throw std::runtime_error("the worker has ended");
    return protocol::decode_from_worker(*document);
  }
  void send(const protocol::ToWorker& message) { protocol::send(input.get(), message); }
  protocol::Hello hello() { return std::get<protocol::Hello>(read()); }
  int wait() {
    int status = 0;
    ::waitpid(pid, &status, 0);
    ended = true;  // nothing is left to kill
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  TemporaryFolder folder;
  pid_t pid = -1;
  bool ended = false;
  FileDescriptor input, output;
};

/// Readable once the process has ended, whoever reaps it.
FileDescriptor watch(const std::string& process) {
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(process), 0)));
}
bool ends(const FileDescriptor& watched) {
  pollfd wait{watched.get(), POLLIN, 0};
  return ::poll(&wait, 1, 60'000) == 1;
}

TEST_F(WorkerTest, SaysHelloThenBuildsAndAnswers) {
  start("good");
  const auto greeting = hello();
  EXPECT_EQ(greeting.protocol, protocol::version);
  EXPECT_THAT(greeting.languages, Contains("cpp"));
  ASSERT_FALSE(greeting.toolchains.empty());
  send(request("good", good_source));
  send(request("bad", "this is no C++"));
  std::map<std::string, Verdict> verdicts;
  for (int i = 0; i < 2; ++i) {
    const auto evaluated = std::get<protocol::Evaluated>(read());
    verdicts[evaluated.id] = evaluated.verdict;
  }
  EXPECT_TRUE(verdicts.at("good").compiled()) << verdicts.at("good").build_log;
  EXPECT_THAT(verdicts.at("good").device, HasSubstr("/test-builds/")) << "the judge was given the library";
  EXPECT_FALSE(verdicts.at("good").compiler.empty());
  EXPECT_EQ(verdicts.at("bad").at(Stage::build).reason, Reason::compile_error);
  EXPECT_THAT(verdicts.at("bad").build_log, HasSubstr("kernel.cpp"));
}

TEST_F(WorkerTest, NonsenseInsideAFrameIsAnsweredAndEndsNothing) {
  start("good");
  hello();
  auto document = protocol::encode(protocol::ToWorker(protocol::Cancel{"x"}));
  document["type"] = "explode";
  protocol::write_frame(input.get(), document);
  const auto failed = std::get<protocol::Failed>(read());
  EXPECT_EQ(failed.id, "x");
  EXPECT_THAT(failed.message, HasSubstr("explode"));
  send(request("bad", "no C++"));
  EXPECT_EQ(std::get<protocol::Evaluated>(read()).id, "bad");
}

TEST_F(WorkerTest, EndsWithItsJudgeWhenItsInputDoes) {
  start("silent");
  const auto judge = watch(hello().torch);
  send(request("a", good_source));
  input.reset();
  EXPECT_EQ(wait(), 0);
  EXPECT_TRUE(ends(judge));
}

TEST_F(WorkerTest, EndsWithItsJudgeOnSigterm) {
  start("silent");
  const auto judge = watch(hello().torch);
  ::kill(pid, SIGTERM);
  EXPECT_EQ(wait(), 0);
  EXPECT_TRUE(ends(judge));
}

TEST_F(WorkerTest, TakesItsJudgeWithItWhenItIsKilled) {
  start("silent");
  const auto judge = watch(hello().torch);
  ::kill(pid, SIGKILL);
  EXPECT_EQ(wait(), 1000 + SIGKILL);
  EXPECT_TRUE(ends(judge));
}

TEST_F(WorkerTest, LeavesNoFolderBehindNorThatOfOneThatWasKilled) {
  const auto temporary = folder.path / "tmp";
  std::filesystem::create_directory(temporary);
  ::setenv("TMPDIR", temporary.c_str(), 1);
  start("good");
  hello();
  ::kill(pid, SIGKILL);
  wait();
  EXPECT_FALSE(std::filesystem::is_empty(temporary)) << "there is something to clean up";
  std::filesystem::remove(folder.path / "fake-judge-good");
  start("good");
  ::unsetenv("TMPDIR");
  hello();
  input.reset();
  wait();
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST_F(WorkerTest, AJudgeThatDiesUnderACandidateEndsNothing) {
  start("dies");
  hello();
  send(request("a", good_source));
  const auto verdict = std::get<protocol::Evaluated>(read()).verdict;
  EXPECT_TRUE(verdict.compiled());
  EXPECT_EQ(verdict.at(Stage::call).reason, Reason::judge_failed);
  send(request("b", "no C++"));
  EXPECT_EQ(std::get<protocol::Evaluated>(read()).id, "b");
}

TEST_F(WorkerTest, AnswersAMailboxOnceAndEnds) {
  const auto box = folder.path / "box";
  const auto folders = protocol::open_mailbox(box);
  const std::vector<std::string> lines = {
      protocol::encode_line(protocol::encode(protocol::ToWorker(request("a", good_source)))),
      "no JSON at all\n",
      protocol::encode_line(protocol::encode(protocol::ToWorker(request("b", "no C++"))))};
  protocol::write_numbered(folders.outbox, "requests", lines);
  start("good", {"--mailbox", box.string()});
  EXPECT_EQ(wait(), 0);
  std::map<std::string, protocol::FromWorker> answers;
  const auto read_answers = [&](std::string_view line, const std::string&) {
    const auto document = nlohmann::json::parse(line);
    answers.insert_or_assign(protocol::id_of(document), protocol::decode_from_worker(document));
  };
  protocol::LineFolder(folders.inbox).read_new(read_answers);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_TRUE(std::get<protocol::Evaluated>(answers.at("a")).verdict.compiled());
  EXPECT_FALSE(std::get<protocol::Evaluated>(answers.at("b")).verdict.compiled());
  EXPECT_FALSE(std::filesystem::exists(folders.inbox / "results-002.jsonl"));
}

}  // namespace
}  // namespace ridgeline::agent
