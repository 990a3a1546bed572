#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/core/error.hpp"
#include "llm_clients/atomic_file.hpp"
#include "llm_clients/factory.hpp"
#include "llm_clients/mailbox_client.hpp"
#include "llm_clients/mailbox_folder.hpp"
#include "llm_clients/recording.hpp"
#include "tests/llm_clients/fakes.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

LlmRequest request_at(const std::string& address, const std::string& text = "write a kernel") {
  return {.model = "m", .messages = {{"system", "s"}, {"user", text}}, .address = address};
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// A watch that looks when the test says so.
class HandWatch : public FolderWatch {
 public:
  HandWatch(bool& on, std::function<void()>& look, std::function<void()> changed) : on_(on) {
    look = std::move(changed);
  }
  ~HandWatch() override { on_ = false; }
  void enable(bool on) override { on_ = on; }

 private:
  bool& on_;
};

struct MailboxRig {
  ScratchFolder folder;
  test::Clock clock;
  test::Results results;
  bool watching = false;
  std::function<void()> look;
  std::unique_ptr<LlmClient> client;

  MailboxRig() { start(); }
  void start() {
    Model model;
    model.path = folder.path().string();
    model.max_output_tokens = 77;
    model.prices = {.input = 1, .cached_input = {}, .output = 2};
    client = make_mailbox_client(model, std::make_unique<test::ManualTimers>(clock),
                                 [this](const std::filesystem::path&, std::function<void()> changed) {
                                   return std::make_unique<HandWatch>(watching, look, std::move(changed));
                                 });
  }
  std::string ask(const LlmRequest& request) {
    client->complete(request, results.keep());
    clock.run();
    return mailbox_id(request);
  }
  void look_now() {
    look();
    clock.run();
  }
};

TEST(Mailbox, WritesTheRequestCompleteAndReadable) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("level1/add/geak/1/2/3", "write \xFF"));
  EXPECT_THAT(rig.folder.names("outbox"), ElementsAre(id + ".json", id + ".md"));
  const auto json = nlohmann::json::parse(*read_if_exists(rig.folder / "outbox" / (id + ".json")));
  EXPECT_EQ(json["format"], "ridgeline-mailbox");
  EXPECT_EQ(json["id"], id);
  EXPECT_EQ(json["address"], "level1/add/geak/1/2/3");
  EXPECT_EQ(json["max_output_tokens"], 77);
  EXPECT_EQ(json["temperature"], nullptr);
  EXPECT_EQ(json["messages"][1]["content"], "write \xEF\xBF\xBD");
  EXPECT_THAT(*read_if_exists(rig.folder / "outbox" / (id + ".md")), HasSubstr("inbox/" + id + ".md"));
  EXPECT_TRUE(rig.watching);
}

TEST(Mailbox, ATextOrJsonAnswerCompletesTheCall) {
  MailboxRig rig;
  const auto text_id = rig.ask(request_at("t/s/0/0/0"));
  const auto json_id = rig.ask(request_at("t/s/0/1/0"));
  rig.look_now();
  EXPECT_TRUE(rig.results.all.empty());
  write(rig.folder / "inbox" / (text_id + ".md"), "the answer");
  rig.clock.now += std::chrono::seconds(5);
  rig.look_now();
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].text, "the answer");
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::answered);
  EXPECT_DOUBLE_EQ(rig.results.all[0].seconds, 5);
  EXPECT_TRUE(rig.watching);

  write(rig.folder / "inbox" / (json_id + ".json"),
        R"({"text":"t","model":"a person","reasoning":"r","finish_reason":"length",
            "usage":{"input_tokens":3,"output_tokens":4}})");
  rig.look_now();
  const auto& result = rig.results.all.at(1);
  EXPECT_EQ(result.status, LlmStatus::truncated);
  EXPECT_EQ(result.text + '|' + result.reasoning + '|' + result.provider_model, "t|r|a person");
  EXPECT_DOUBLE_EQ(result.usd, (3 + 2 * 4) / 1e6);
  EXPECT_FALSE(rig.watching) << "nothing waits any more";
}

TEST(Mailbox, HiddenTemporaryAndEmptyFilesAreNoAnswers) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("t/s/0/0/0"));
  for (const auto& name : {'.' + id + ".md", id + ".md.tmp", id + ".json.tmp", id})
    write(rig.folder / "inbox" / name, "half an ans");
  write(rig.folder / "inbox" / (id + ".md"), "");
  rig.look_now();
  EXPECT_TRUE(rig.results.all.empty());
  std::filesystem::rename(rig.folder / "inbox" / (id + ".md.tmp"), rig.folder / "inbox" / (id + ".md"));
  rig.look_now();
  EXPECT_EQ(rig.results.all.size(), 1u);
}

TEST(Mailbox, ReportsABadAnswerAndAcceptsAnother) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("t/s/0/0/0"));
  const auto problem = rig.folder / "inbox" / (id + ".problem.txt");
  for (const char* bad : {"{\"text\": ", "{\"txt\": \"x\"}", "[]"}) {
    write(rig.folder / "inbox" / (id + ".json"), bad);
    rig.look_now();
    EXPECT_TRUE(rig.results.all.empty());
    EXPECT_THAT(read_if_exists(problem).value_or(""), HasSubstr(id + ".json")) << bad;
  }
  write(rig.folder / "inbox" / (id + ".json"), R"({"text":"now"})");
  rig.look_now();
  EXPECT_EQ(rig.results.all.at(0).text, "now");
  EXPECT_FALSE(std::filesystem::exists(problem));
}

TEST(Mailbox, IgnoresImpossibleCounts) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("t/s/0/0/0"));
  write(rig.folder / "inbox" / (id + ".json"),
        R"({"text":"t","usage":{"input_tokens":-9,"output_tokens":4}})");
  rig.look_now();
  EXPECT_EQ(rig.results.all.at(0).usage, Usage{});
  EXPECT_EQ(rig.results.all[0].usd, 0);
  EXPECT_THAT(rig.results.all[0].detail, HasSubstr("input_tokens: -9"));
}

TEST(Mailbox, DoesNotWaitForAnAnswerThatStaysBad) {
  const auto spoil = [](const std::filesystem::path& inbox, const std::string& id, int how) {
    if (how == 0) write(inbox / (id + ".json"), "{\"text\": ");
    if (how == 1) write(inbox / (id + ".json"), R"({"text":"x","id":"t_s_0_0_1-0123456789ab"})");
    if (how == 2) std::filesystem::create_directory(inbox / (id + ".md"));
    if (how == 3) {
      write(inbox / (id + ".md"), "x");
      std::filesystem::resize_file(inbox / (id + ".md"), (64u << 20) + 1);
    }
  };
  const std::vector<std::string> said = {"is no JSON", "answers the request t_s_0_0_1", "is a folder",
                                         "bytes"};
  for (int how = 0; how < 4; ++how) {
    MailboxRig rig;
    const auto id = rig.ask(request_at("t/s/0/0/0"));
    rig.ask(request_at("t/s/0/0/0"));
    spoil(rig.folder / "inbox", id, how);
    rig.look_now();
    rig.clock.now += std::chrono::seconds(9);
    rig.look_now();
    EXPECT_TRUE(rig.results.all.empty()) << how << ": it may become whole";
    rig.clock.now += std::chrono::seconds(1);
    rig.look_now();
    ASSERT_EQ(rig.results.all.size(), 2u) << how;
    EXPECT_EQ(rig.results.all[0].status, LlmStatus::malformed);
    EXPECT_EQ(rig.results.all[0].fault, Fault::account);
    EXPECT_THAT(rig.results.all[0].detail, HasSubstr(said[static_cast<std::size_t>(how)]));
    EXPECT_THAT(rig.results.all[0].detail, HasSubstr("inbox/" + id));
    EXPECT_FALSE(rig.watching);
  }
}

TEST(Mailbox, ABadAnswerHasItsTimeAnewWhereTheRequestIsMadeAgain) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("t/s/0/0/0"));
  write(rig.folder / "inbox" / (id + ".json"), "{\"text\": ");
  rig.look_now();
  rig.client->cancel("t/s/0/0/0");
  rig.clock.run();
  ASSERT_EQ(rig.results.all.size(), 1u);
  rig.clock.now += std::chrono::seconds(60);
  rig.ask(request_at("t/s/0/0/0"));
  rig.look_now();
  EXPECT_EQ(rig.results.all.size(), 1u) << "it may become whole";
  rig.clock.now += std::chrono::seconds(10);
  rig.look_now();
  EXPECT_EQ(rig.results.all.size(), 2u);
}

TEST(Mailbox, WaitsWhileAnAnswerIsBeingWritten) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("t/s/0/0/0"));
  std::string text = "{\"text\": \"";
  for (int i = 0; i < 10; ++i) {
    write(rig.folder / "inbox" / (id + ".json"), text += "more ");
    rig.look_now();
    rig.clock.now += std::chrono::seconds(8);
  }
  EXPECT_TRUE(rig.results.all.empty());
  write(rig.folder / "inbox" / (id + ".json"), text + "\"}");
  rig.look_now();
  EXPECT_TRUE(rig.results.all.at(0).ok());
}

TEST(Mailbox, StopSendingCancelsAllAndLeavesTheRequests) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("t/s/0/0/0"));
  rig.client->stop_sending();
  rig.clock.run();
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::cancelled);
  EXPECT_FALSE(rig.watching);
  EXPECT_THAT(rig.folder.names("outbox"), ElementsAre(id + ".json", id + ".md"));
  rig.ask(request_at("t/s/0/1/0"));
  EXPECT_EQ(rig.results.all.size(), 2u);
  EXPECT_EQ(rig.folder.names("outbox").size(), 2u);
}

TEST(Mailbox, ALaterClientUsesTheAnswers) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("t/s/0/0/0"));
  rig.client.reset();
  rig.clock.run();
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::cancelled);
  EXPECT_THAT(rig.folder.names("outbox"), ElementsAre(id + ".json", id + ".md"));
  write(rig.folder / "inbox" / (id + ".md"), "while you were away");
  rig.start();
  rig.ask(request_at("t/s/0/0/0"));
  EXPECT_EQ(rig.results.all.at(1).text, "while you were away");
  EXPECT_FALSE(rig.watching);
}

TEST(Mailbox, TwoEqualRequestsShareAFileAndGetTwoResults) {
  MailboxRig rig;
  const auto id = rig.ask(request_at("t/s/0/0/0"));
  EXPECT_EQ(rig.ask(request_at("t/s/0/0/0")), id);
  EXPECT_EQ(rig.folder.names("outbox").size(), 2u);
  write(rig.folder / "inbox" / (id + ".md"), "both");
  rig.look_now();
  EXPECT_EQ(rig.results.all.size(), 2u);
}

TEST(Mailbox, NamesAreSafeAndDistinct) {
  const auto id = mailbox_id(request_at("../..//etc/passwd/s/0/0/0"));
  EXPECT_EQ(id.find('/'), std::string::npos);
  EXPECT_NE(id.front(), '.');
  EXPECT_NE(mailbox_id(request_at("t/s/0/0/0", "a")), mailbox_id(request_at("t/s/0/0/0", "b")));
  const std::string longest(400, 'x');
  EXPECT_LT(mailbox_id(request_at(longest + "/0/0/0")).size(), 200u);
  EXPECT_NE(mailbox_id(request_at(longest + "/0/0/0")), mailbox_id(request_at(longest + "/0/0/1")));
}

TEST(Mailbox, AReaderNeverSeesHalfARequest) {
  const ScratchFolder folder;
  const auto file = folder / "letter";
  const std::string a(300'000, 'a'), b(200'000, 'b');
  write_atomically(file, a);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 20; ++i) write_atomically(file, i % 2 ? a : b);
    done = true;
  });
  do {
    const auto seen = read_if_exists(file);
    EXPECT_TRUE(seen == a || seen == b);
  } while (!done);
  writer.join();
  EXPECT_THAT(folder.names(), ElementsAre("letter"));
}

TEST(Mailbox, CanBeMadeARecording) {
  MailboxRig rig;
  const auto later = rig.ask(request_at("t/s/0/10/0"));
  const auto sooner = rig.ask(request_at("t/s/0/9/0"));
  rig.ask(request_at("t/s/0/11/0"));  // not answered
  write(rig.folder / "inbox" / (later + ".md"), "B");
  write(rig.folder / "inbox" / (sooner + ".json"),
        R"({"text":"A","usage":{"input_tokens":1,"output_tokens":2}})");
  const auto answers = answers_of_mailbox(rig.folder.path());
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].text, "A");
  EXPECT_EQ(answers[0].usage, (Usage{1, 2, 0, 0, 0, true}));
  EXPECT_EQ(answers[1].address, (CallAddress{"t", "s", 0, 10, 0}));
  EXPECT_EQ(answers[1].prompt.at(1).content, "write a kernel");
  write(rig.folder / "outbox" / "stray.json", "{}");
  EXPECT_THROW(answers_of_mailbox(rig.folder.path()), BadInput);
}

TEST(Mailbox, AFolderThatCannotBeMadeIsBadInput) {
  const ScratchFolder folder;
  write(folder / "file", "x");
  Model model;
  model.provider = Provider::mailbox;
  model.path = (folder / "file").string();
  boost::asio::io_context io;
  EXPECT_THROW(make_client(model, io), BadInput);
}

TEST(Mailbox, WatchesARealFolder) {
  const ScratchFolder folder;
  Model model;
  model.provider = Provider::mailbox;
  model.path = folder.path().string();
  boost::asio::io_context io;
  const auto client = make_client(model, io);
  test::Results results;
  const auto request = request_at("t/s/0/0/0");
  client->complete(request, results.keep());
  const auto inbox = folder / "inbox";
  write_atomically(inbox / (mailbox_id(request) + ".md"), "seen");
  io.run();  // ends by itself: nothing is waited for any more
  ASSERT_EQ(results.all.size(), 1u);
  EXPECT_EQ(results.all[0].text, "seen");
}

}  // namespace
}  // namespace ridgeline::llm
