// Batches over real sockets, against a server that does what a script says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>

#include "llm_clients/batch_client.hpp"
#include "llm_clients/beast_transport.hpp"
#include "llm_clients/factory.hpp"
#include "tests/llm_clients/fake_server.hpp"
#include "tests/llm_clients/fakes.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using namespace test;  // the server's script is most of what stands here
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

const std::string kSecret = "sk-0123456789abcdef";

struct BatchEnds {
  FakeServer server;
  ScratchFolder folder;
  boost::asio::io_context io;
  Model model;
  Results results;
  std::unique_ptr<LlmClient> client;

  explicit BatchEnds(Provider provider) {
    model.name = "m";
    model.id = "id";
    model.provider = provider;
    model.base_url = "http://" + server.authority() + "/v1";
    model.retries.base = 0;
    model.batch = true;
    model.batch_window = 0.01;
  }

  /// With pauses of hundredths of a second.
  void start() {
    BatchParts parts;
    parts.model = model;
    parts.key = KeySource(kSecret);
    parts.transport = make_transport(io, {});
    parts.timers = make_timers(io);
    parts.random = [] { return 0.5; };
    parts.folder = folder.path();
    parts.collect.window = model.batch_window;
    parts.pacing = {.first_poll = 0.01, .longest_poll = 0.02, .before_search = 0};
    client = make_batch_client(std::move(parts));
  }

  static LlmRequest request(int slot) {
    LlmRequest request;
    request.messages = {{"user", "prompt " + std::to_string(slot)}};
    request.address = "t/s/1/0/" + std::to_string(slot);
    request.request_hash = "hash";
    return request;
  }
  void ask(int slot) { client->complete(request(slot), results.keep()); }
  std::string id_of(int slot) const { return custom_id_of(model, request(slot), ""); }

  void run_until_answered(std::size_t count) {
    io.restart();
    while (results.all.size() < count && io.run_one() != 0) {
    }
  }
  void run_until_received(std::size_t count) {
    io.restart();
    while (server.received().size() < count) io.poll();  // the server's silence wakes nobody
  }

  void say(const std::string& body) { server.then({Bytes{response(200, body)}}); }
  /// As a stream of octets, in chunks that break lines anywhere.
  void say_lines(const std::string& lines) {
    server.then({Bytes{chunked_head("application/octet-stream")}, Bytes{chunk(lines.substr(0, 50))},
                 Bytes{chunk(lines.substr(50))}, Bytes{std::string(kLastChunk)}});
  }
  std::string openai_line(int slot, const std::string& text) const {
    return R"({"custom_id":")" + id_of(slot) +
           R"(","response":{"status_code":200,"body":{"choices":[{"message":{"content":")" + text +
           R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}}})" + "\n";
  }
};

TEST(BatchEndToEnd, OpenAi) {
  BatchEnds ends(Provider::openai_chat);
  ends.say(R"({"id":"file-1"})");
  ends.say(R"({"id":"batch_1","status":"validating"})");
  ends.say(R"({"id":"batch_1","status":"in_progress"})");
  ends.server.then({Close{}});  // an outage in between
  ends.say(R"({"id":"batch_1","status":"completed","output_file_id":"out"})");
  ends.say_lines(ends.openai_line(1, "one") + ends.openai_line(0, "zero"));
  ends.start();
  ends.ask(0);
  ends.ask(1);
  ends.run_until_answered(2);
  ASSERT_THAT(ends.results.all, SizeIs(2));
  EXPECT_EQ(ends.results.all[0].text, "one") << ends.results.all[0].detail;
  EXPECT_EQ(ends.results.all[1].text, "zero");
  const auto received = ends.server.received();
  ASSERT_THAT(received, SizeIs(6));
  EXPECT_THAT(received[0].head, AllOf(StartsWith("POST /v1/files HTTP/1.1\r\n"),
                                      HasSubstr("Content-Type: multipart/form-data; boundary=ridgeline-"),
                                      HasSubstr("Authorization: Bearer " + kSecret + "\r\n")));
  EXPECT_THAT(received[0].body, AllOf(HasSubstr("prompt 0"), HasSubstr("prompt 1"), Not(HasSubstr(kSecret))));
  EXPECT_THAT(received[1].head, StartsWith("POST /v1/batches HTTP/1.1\r\n"));
  EXPECT_NE(received[1].connection, received[0].connection) << "sent once, on a connection of its own";
  for (const int look : {2, 3, 4})
    EXPECT_THAT(received[look].head, StartsWith("GET /v1/batches/batch_1 HTTP/1.1\r\n"));
  EXPECT_THAT(received[5].head, StartsWith("GET /v1/files/out/content HTTP/1.1\r\n"));
}

TEST(BatchEndToEnd, Anthropic) {
  BatchEnds ends(Provider::anthropic);
  ends.say(R"({"id":"msgbatch_1","processing_status":"in_progress"})");
  ends.say(R"({"id":"msgbatch_1","processing_status":"ended"})");
  ends.say_lines(R"({"custom_id":")" + ends.id_of(0) +
                 R"(","result":{"type":"succeeded","message":{"content":[{"type":"text","text":"zero"}],)"
                 R"("stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}}})");
  ends.start();
  ends.ask(0);
  ends.run_until_answered(1);
  ASSERT_THAT(ends.results.all, SizeIs(1));
  EXPECT_EQ(ends.results.all[0].text, "zero") << ends.results.all[0].detail;
  EXPECT_EQ(ends.results.all[0].usage.output_tokens, 2);
  const auto received = ends.server.received();
  ASSERT_THAT(received, SizeIs(3));
  EXPECT_THAT(received[0].head, AllOf(StartsWith("POST /v1/messages/batches HTTP/1.1\r\n"),
                                      HasSubstr("x-api-key: " + kSecret + "\r\n"),
                                      HasSubstr("anthropic-version: 2023-06-01\r\n")));
  EXPECT_EQ(nlohmann::json::parse(received[0].body).at("requests").at(0).at("custom_id"), ends.id_of(0));
  EXPECT_THAT(received[1].head, StartsWith("GET /v1/messages/batches/msgbatch_1 HTTP/1.1\r\n"));
  EXPECT_THAT(received[2].head, StartsWith("GET /v1/messages/batches/msgbatch_1/results HTTP/1.1\r\n"));
}

TEST(BatchEndToEnd, PaysOnceAlthoughTheClientWasKilled) {
  BatchEnds ends(Provider::openai_chat);
  ends.say(R"({"id":"file-1"})");
  ends.server.then({Stall{}});  // the batch is made, and nobody hears of it
  ends.start();
  ends.ask(0);
  ends.run_until_received(2);
  ends.client.reset();
  ends.io.restart();
  ends.io.run();
  ends.results.all.clear();

  const auto batch = nlohmann::json::parse(ends.server.received().at(1).body);
  const auto key = batch.at("metadata").at("ridgeline_batch").get<std::string>();
  ends.say(R"({"data":[{"id":"batch_1","metadata":{"ridgeline_batch":")" + key + R"("}}],"has_more":false})");
  ends.say(R"({"id":"batch_1","status":"completed","output_file_id":"out"})");
  ends.say_lines(ends.openai_line(0, "zero"));
  ends.start();
  ends.ask(0);
  ends.run_until_answered(1);
  ASSERT_THAT(ends.results.all, SizeIs(1));
  EXPECT_EQ(ends.results.all[0].text, "zero") << ends.results.all[0].detail;
  int posts = 0;
  for (const auto& request : ends.server.received())
    posts += request.head.starts_with("POST /v1/batches ") ? 1 : 0;
  EXPECT_EQ(posts, 1);
}

TEST(BatchEndToEnd, TheFactoryMakesAClientForBatches) {
  BatchEnds ends(Provider::openai_chat);
  ends.model.api_key_env = "RIDGELINE_TEST_NO_SUCH_KEY";
  ends.say(R"({"id":"file-1"})");
  ends.server.then({Stall{}});
  ends.client = make_client(ends.model, ends.io, {}, ends.folder / "batches");
  ends.ask(0);
  ends.run_until_received(2);
  const auto received = ends.server.received();
  ASSERT_THAT(received, SizeIs(2));
  EXPECT_THAT(received[1].head, StartsWith("POST /v1/batches "));
  EXPECT_THAT(ends.folder.names("batches"), SizeIs(1));
}

}  // namespace
}  // namespace ridgeline::llm
