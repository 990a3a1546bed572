#include "llm_clients/factory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "engine/core/error.hpp"
#include "llm_clients/folder_watch.hpp"
#include "llm_clients/provider_client.hpp"
#include "llm_clients/recording.hpp"
#include "tests/llm_clients/fakes.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

Model local_model() {
  Model model;
  model.name = "m";
  model.id = "id";
  model.base_url = "http://localhost:1/v1";
  model.api_key_env = "RIDGELINE_TEST_NO_SUCH_KEY";
  return model;
}

void expect_rejected(const Model& model, const std::string& key) {
  boost::asio::io_context io;
  EXPECT_THAT([&] { make_client(model, io); },
              ThrowsMessage<BadInput>(AllOf(HasSubstr(key), Not(HasSubstr("hunter2")))));
}

TEST(Factory, ReportsEveryMistakeBeforeAnythingIsSent) {
  boost::asio::io_context io;
  EXPECT_NE(make_client(local_model(), io), nullptr);
  auto model = local_model();
  model.id.clear();
  expect_rejected(model, "models.m.id");
  for (const char* extra : {"[]", "3", "{", "null"}) {
    model = local_model();
    model.extra = extra;
    expect_rejected(model, "models.m.extra");
  }
  for (const char* url : {"localhost:1/v1", "http://", "http://user:hunter2@h/v1"})
    for (const auto provider : {Provider::openai_chat, Provider::anthropic, Provider::gemini}) {
      model = local_model();
      model.provider = provider;
      model.base_url = url;
      expect_rejected(model, "models.m.base_url");
    }
  model = local_model();
  model.base_url = "https://api.example/v1";
  expect_rejected(model, "RIDGELINE_TEST_NO_SUCH_KEY");
  for (const auto provider : {Provider::replay, Provider::mailbox}) {
    model = local_model();
    model.provider = provider;
    expect_rejected(model, "models.m.path");
  }
  model.provider = Provider::replay;
  model.path = "/nonexistent/recording.jsonl";
  expect_rejected(model, "/nonexistent/recording.jsonl");
}

TEST(Factory, MakesAReplayFromItsFile) {
  const test::ScratchFolder folder;
  Recording recording{.model = "who", .recorded_at = "2026", .note = "", .answers = {}};
  recording.answers.push_back({.address = {"t", "s", 1, 0, 0}, .text = "recorded"});
  write_recording(recording, folder / "r.jsonl");
  auto model = local_model();
  model.provider = Provider::replay;
  model.path = (folder / "r.jsonl").string();
  boost::asio::io_context io;
  test::Results results;
  const auto client = make_client(model, io);
  client->complete({.address = "t/s/1/0/0"}, results.keep());
  EXPECT_TRUE(results.all.empty());
  io.run();
  ASSERT_EQ(results.all.size(), 1u);
  EXPECT_EQ(results.all[0].text, "recorded");
}

TEST(FolderWatch, SignalsEveryPeriodEvenWithoutInotify) {
  const test::ScratchFolder folder;
  boost::asio::io_context io;
  int looks = 0;
  std::unique_ptr<FolderWatch> watch;
  watch = watch_folder(io, folder.path(), std::chrono::milliseconds(1), [&] {
    if (++looks == 3) watch->enable(false);
  });
  EXPECT_EQ(io.run(), 0u) << "off: no work";
  io.restart();
  watch->enable(true);
  io.run();  // ends when the third look turns it off
  EXPECT_EQ(looks, 3);
  watch->enable(true);
  watch.reset();  // a look that was waiting never comes
  io.restart();
  io.run();
  EXPECT_EQ(looks, 3);
}

TEST(EstimatedTokens, AreAQuarterOfTheBytesAndAllOfTheOutput) {
  auto model = local_model();
  model.max_output_tokens = 50;
  EXPECT_EQ(estimated_tokens(model, {.messages = {{"user", std::string(400, 'x')}}}), 150);
  EXPECT_EQ(estimated_tokens(model, {.messages = {}, .max_output_tokens = 7}), 7);
}

TEST(Names, OfStoredEnumeratorsArePinned) {
  EXPECT_THAT(all_names<LlmStatus>(),
              ElementsAre("answered", "truncated", "refused", "bad_request", "context_exceeded", "empty",
                          "unauthorized", "not_found", "rate_limited", "overloaded", "server_error",
                          "timed_out", "connection_failed", "malformed", "missing_recording", "cancelled"));
  EXPECT_THAT(all_names<Provider>(),
              ElementsAre("openai_chat", "openai_completions", "anthropic", "gemini", "replay", "mailbox"));
  EXPECT_THAT(all_names<Fault>(), ElementsAre("none", "request", "endpoint", "account"));
  EXPECT_THAT(all_names<PromptFormat>(), ElementsAre("plain", "chatml", "llama3", "mistral"));
}

}  // namespace
}  // namespace ridgeline::llm
