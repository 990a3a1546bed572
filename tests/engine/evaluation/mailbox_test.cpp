#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/compression/frame.hpp"
#include "engine/evaluation/mailbox_evaluator.hpp"
#include "engine/worker/protocol/mailbox.hpp"
#include "tests/engine/evaluation/fake_worker.hpp"

namespace ridgeline::evaluation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MailboxTest : public testing::Test {
 protected:
  MailboxTest() {
    task.name = "scale";
    task.hash = "hash of scale";
    settings.folder = (folder.path / "box").string();
    settings.flush_seconds = 3600;  // tests flush by hand
    settings.poll_seconds = 0.001;
  }
  std::unique_ptr<MailboxEvaluator> make() {
    return std::make_unique<MailboxEvaluator>(io, settings,
                                              [this](const std::string& line) { lines += line + "\n"; });
  }
  void ask(MailboxEvaluator& evaluator, const std::string& source) {
    evaluator.evaluate({borrowed(task), make_candidate(Language::cpp, source), {}},
                       [this, source](const Verdict& verdict) { verdicts[source].push_back(verdict); });
  }
  std::vector<protocol::Evaluate> outbox() {
    std::vector<protocol::Evaluate> requests;
    protocol::LineFolder(folder.path / "box/outbox").read_new([&](std::string_view line, const std::string&) {
      requests.push_back(
          std::get<protocol::Evaluate>(protocol::decode_to_worker(nlohmann::json::parse(line))));
    });
    return requests;
  }
  static std::string answer_to(const protocol::Evaluate& request) {
    Verdict verdict;
    verdict.candidate = request.candidate.hash;
    verdict.device = "far away";
    return protocol::encode_line(
        protocol::encode(protocol::FromWorker(protocol::Evaluated{request.id, verdict})));
  }
  void run_until_answered(std::size_t count) {
    while (verdicts.size() < count && io.run_one() > 0) {
    }
  }

  TemporaryFolder folder;
  boost::asio::io_context io;
  Task task;
  MailboxSettings settings;
  std::map<std::string, std::vector<Verdict>> verdicts;
  std::string lines;
};

TEST_F(MailboxTest, GathersRequestsIntoOneFileAndTakesResultsWhileItWaits) {
  const auto evaluator = make();
  ask(*evaluator, "a");
  ask(*evaluator, "b");
  EXPECT_EQ(evaluator->waiting(), 2u);
  EXPECT_EQ(evaluator->flush(), 2u);
  EXPECT_EQ(evaluator->flush(), 0u);
  const auto requests = outbox();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].candidate.source, "a");
  EXPECT_EQ(requests[0].task.name, "scale");
  protocol::write_numbered(folder.path / "box/inbox", "results",
                           {answer_to(requests[1]), answer_to(requests[0])});
  run_until_answered(2);
  EXPECT_EQ(verdicts.at("a").at(0).device, "far away");
  EXPECT_EQ(evaluator->waiting(), 0u);
}

TEST_F(MailboxTest, ANewFileIsReadAfterTheCompressedFilesBeforeIt) {
  const auto inbox = protocol::open_mailbox(folder.path / "box").inbox;
  std::ofstream(inbox / "results-001.jsonl.zst", std::ios::binary) << compression::compressed("old\n", 1);
  EXPECT_EQ(protocol::write_numbered(inbox, "results", {"new\n"}).filename(), "results-002.jsonl");
  std::vector<std::string> read;
  protocol::LineFolder(inbox).read_new([&](std::string_view line, const std::string& place) {
    read.push_back(place + " " + std::string(line));
  });
  EXPECT_THAT(read, ElementsAre("results-001.jsonl.zst:1 old", "results-002.jsonl:1 new"));
}

TEST_F(MailboxTest, ReadsACompressedFileOfResultsOnceItIsWhole) {
  const auto evaluator = make();
  ask(*evaluator, "a");
  evaluator->flush();
  const auto frame = compression::compressed(answer_to(outbox().at(0)), 19);
  const auto file = folder.path / "box/inbox/results-001.jsonl.zst";
  std::ofstream(file, std::ios::binary) << frame.substr(0, frame.size() / 2);
  evaluator->collect();
  evaluator->collect();
  EXPECT_EQ(evaluator->waiting(), 1u);
  EXPECT_THAT(lines, HasSubstr("results-001.jsonl.zst: the zstd frame is incomplete; copy it again"));
  const auto once = lines;
  std::ofstream(file, std::ios::binary) << frame;
  run_until_answered(1);
  EXPECT_EQ(verdicts.at("a").at(0).device, "far away");
  EXPECT_EQ(lines, once) << "a problem is logged once";
}

TEST_F(MailboxTest, AResumedCampaignReadsItsResultsAndRepeatsNoRequest) {
  {
    const auto first = make();
    ask(*first, "a");
    ask(*first, "b");
    first->flush();
  }
  protocol::write_numbered(folder.path / "box/inbox", "results", {answer_to(outbox()[0])});
  const auto second = make();
  ask(*second, "a");
  ask(*second, "b");
  ask(*second, "c");
  EXPECT_EQ(second->flush(), 1u) << "c alone is new";
  run_until_answered(1);
  EXPECT_EQ(verdicts.at("a").size(), 1u);
  EXPECT_EQ(second->waiting(), 2u);
}

TEST_F(MailboxTest, WritesEqualRequestsOnceAndAnswersBoth) {
  const auto evaluator = make();
  ask(*evaluator, "a");
  ask(*evaluator, "a");
  EXPECT_EQ(evaluator->flush(), 1u);
  protocol::write_numbered(folder.path / "box/inbox", "results", {answer_to(outbox()[0])});
  while (verdicts["a"].size() < 2 && io.run_one() > 0) {
  }
  EXPECT_EQ(verdicts["a"].size(), 2u);
}

TEST_F(MailboxTest, WritesNoRequestThatIsNoLongerWanted) {
  const auto evaluator = make();
  bool wanted = true;
  const auto ask_revocably = [&](const std::string& source) {
    evaluator->evaluate(
        {borrowed(task), make_candidate(Language::cpp, source), {}, [&wanted] { return wanted; }},
        [this, source](const Verdict& verdict) { verdicts[source].push_back(verdict); });
  };
  ask_revocably("cancelled");
  ask_revocably("shared");
  ask(*evaluator, "shared");
  wanted = false;
  EXPECT_EQ(evaluator->flush(), 1u) << "somebody else still wants the shared candidate";
  EXPECT_EQ(evaluator->waiting(), 1u);
  ASSERT_EQ(outbox().size(), 1u);
  EXPECT_EQ(outbox()[0].candidate.source, "shared");

  wanted = true;
  ask_revocably("cancelled");
  EXPECT_EQ(evaluator->flush(), 1u) << "a dropped request can be made again";
  wanted = false;
  protocol::write_numbered(folder.path / "box/inbox", "results",
                           {answer_to(outbox()[0]), answer_to(outbox()[1])});
  run_until_answered(2);
  EXPECT_EQ(verdicts.at("shared").size(), 1u) << "the one who wanted it has it";
  EXPECT_EQ(verdicts.at("cancelled").size(), 1u) << "what is written is judged";
}

TEST_F(MailboxTest, FlushesWhenNoRequestCameForAWhile) {
  settings.flush_seconds = 0;
  const auto evaluator = make();
  ask(*evaluator, "a");
  while (outbox().empty() && io.run_one() > 0) {
  }
  EXPECT_EQ(outbox().size(), 1u);
}

TEST_F(MailboxTest, MakesAFailureAVerdictAndLogsThePlaceOfABadLine) {
  const auto evaluator = make();
  ask(*evaluator, "a");
  evaluator->flush();
  const auto failed = protocol::encode_line(protocol::encode(protocol::FromWorker(
      protocol::Failed{outbox()[0].id, protocol::Failure::machine_cannot, "no compiler there"})));
  protocol::write_numbered(folder.path / "box/inbox", "results", {"what is this\n", failed});
  run_until_answered(1);
  EXPECT_EQ(verdicts.at("a").at(0).at(Stage::build).detail, "no compiler there");
  EXPECT_THAT(lines, HasSubstr("results-001.jsonl:1"));
}

TEST(LineFolder, ReadsWholeLinesAsTheyComeAndSkipsCopiesInProgress) {
  const TemporaryFolder folder;
  protocol::LineFolder lines(folder.path);
  std::vector<std::string> seen;
  const auto visit = [&](std::string_view line, const std::string& place) {
    seen.push_back(place + " " + std::string(line));
  };
  std::ofstream(folder.path / ".b.jsonl") << "hidden\n";
  std::ofstream(folder.path / "a.jsonl") << "one\n\ntwo\nthr";
  lines.read_new(visit);
  EXPECT_THAT(seen, ElementsAre("a.jsonl:1 one", "a.jsonl:3 two"));
  std::ofstream(folder.path / "a.jsonl", std::ios::app) << "ee\n";
  lines.read_new(visit);
  lines.read_new(visit);
  EXPECT_THAT(seen, ElementsAre("a.jsonl:1 one", "a.jsonl:3 two", "a.jsonl:4 three"));
}

TEST(WriteNumbered, NeverOverwritesAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(protocol::write_numbered(folder.path, "requests", {"a\n"}).filename(), "requests-001.jsonl");
  EXPECT_EQ(protocol::write_numbered(folder.path, "requests", {"b\n"}).filename(), "requests-002.jsonl");
  EXPECT_THROW(protocol::write_numbered(folder.path / "nowhere", "requests", {"c\n"}), MachineCannot);
  std::ifstream first(folder.path / "requests-001.jsonl");
  std::string text;
  std::getline(first, text);
  EXPECT_EQ(text, "a");
}

}  // namespace
}  // namespace ridgeline::evaluation
