// The program `ridgeline-worker` itself, with a real compiler in its sandbox and a fake judge.
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/compression/frame.hpp"
#include "engine/worker/protocol/mailbox.hpp"
#include "tests/engine/worker/agent/worker_process.hpp"

namespace ridgeline::agent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

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

TEST_F(WorkerTest, AnswersAnUnknownMessageAndGoesOn) {
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

TEST_F(WorkerTest, ItsJudgeDiesWhenItIsKilled) {
  start("silent");
  const auto judge = watch(hello().torch);
  ::kill(pid, SIGKILL);
  EXPECT_EQ(wait(), 1000 + SIGKILL);
  EXPECT_TRUE(ends(judge));
}

TEST_F(WorkerTest, RemovesItsFolderAndThatOfAKilledWorker) {
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
  std::string left;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(temporary))
    left += entry.path().string() + "\n";
  EXPECT_EQ(left, "");
}

TEST_F(WorkerTest, GoesOnAfterAJudgeDied) {
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

TEST_F(WorkerTest, ReadsACompressedMailboxAndAnswersWhatIsOpen) {
  const auto box = folder.path / "box";
  const auto folders = protocol::open_mailbox(box);
  const auto line_of = [](auto message) { return protocol::encode_line(protocol::encode(message)); };
  const auto put = [](const std::filesystem::path& file, const std::string& lines) {
    std::ofstream(file, std::ios::binary) << compression::compressed(lines, 19);
  };
  put(folders.outbox / "requests-001.jsonl.zst",
      line_of(protocol::ToWorker(request("answered", good_source))) +
          line_of(protocol::ToWorker(request("open", "no C++"))));
  put(folders.inbox / "results-001.jsonl.zst",
      line_of(protocol::FromWorker(protocol::Evaluated{"answered", {}})));
  start("good", {"--mailbox", box.string()});
  EXPECT_EQ(wait(), 0);
  std::vector<std::string> answered;
  protocol::LineFolder(folders.inbox).read_new([&](std::string_view line, const std::string& place) {
    answered.push_back(place + " " + protocol::id_of(nlohmann::json::parse(line)));
  });
  EXPECT_THAT(answered, ElementsAre("results-001.jsonl.zst:1 answered", "results-002.jsonl:1 open"));
}

}  // namespace
}  // namespace ridgeline::agent
