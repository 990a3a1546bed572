// Tests the text that goes to batch endpoints and how their answers are read.
#include "llm_clients/batch_dialect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "llm_clients/batch_results.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const WallTime kNow{std::chrono::seconds(1'700'000'000)};

Model a_model(Provider provider, const std::string& base_url) {
  Model model;
  model.name = "m";
  model.id = "id-1";
  model.provider = provider;
  model.base_url = base_url;
  return batch_model(model);
}

BatchRecord a_batch(std::vector<std::string> ids) {
  BatchRecord record;
  record.key = "0123abcd";
  record.created = kNow;
  record.custom_ids = std::move(ids);
  return record;
}

TEST(BatchAddress, IsBesideTheOrdinaryEndpointAndCarriesTheKey) {
  auto place = batch_address(a_model(Provider::openai_chat, "http://here/v1"), "secret-key");
  EXPECT_EQ(place.get("/batches/b").url, "http://here/v1/batches/b");
  EXPECT_EQ(place.item_url, "/v1/chat/completions");
  EXPECT_EQ(find_header(place.get("/x").headers, "Authorization"), "Bearer secret-key");
  place = batch_address(a_model(Provider::openai_completions, "http://here/v1"), "");
  EXPECT_EQ(place.item_url, "/v1/completions");
  EXPECT_EQ(place.root, "http://here/v1");
  place = batch_address(a_model(Provider::anthropic, ""), "secret-key");
  EXPECT_EQ(place.get("/messages/batches").url, "https://api.anthropic.com/v1/messages/batches");
  EXPECT_EQ(find_header(place.headers, "x-api-key"), "secret-key");
  EXPECT_EQ(find_header(place.headers, "anthropic-version"), "2023-06-01");
}

TEST(BatchAddress, SendsQueryAndHeadersOfTheEntryWithEveryRequest) {
  auto model = a_model(Provider::openai_chat, "http://here/openai/v1?api-version=1");
  model.headers = {{"X-Team", "a"}, {"accept", "text/event-stream"}};
  const auto place = batch_address(model, "");
  EXPECT_EQ(place.get("/batches/b").url, "http://here/openai/v1/batches/b?api-version=1");
  EXPECT_EQ(place.get("/batches?limit=1").url, "http://here/openai/v1/batches?limit=1&api-version=1");
  EXPECT_EQ(find_header(place.get("/x").headers, "X-Team"), "a");
  EXPECT_EQ(find_header(place.get("/x").headers, "Accept"), "application/json");
}

TEST(BatchModel, CostsHalfAndDoesNotStream) {
  Model entry = a_model(Provider::anthropic, "");
  entry.prices = {.input = 3, .cached_input = 1, .cache_write = {}, .output = 15};
  const auto model = batch_model(entry);
  EXPECT_DOUBLE_EQ(model.prices.input, 1.5);
  EXPECT_DOUBLE_EQ(model.prices.cached_input.value(), 0.5);
  EXPECT_EQ(model.prices.cache_write, std::nullopt);
  EXPECT_DOUBLE_EQ(model.prices.output, 7.5);
  LlmRequest request;
  request.messages = {{"user", "hi"}};
  const auto body = json::parse(batch_body(model, request));
  EXPECT_FALSE(body.contains("stream"));
  EXPECT_EQ(body.at("model"), "id-1");
  EXPECT_EQ(body.at("messages").at(0).at("content"), "hi");
}

TEST(OpenAiBatches, UploadsALineForEachRequest) {
  const auto place = batch_address(a_model(Provider::openai_chat, "http://here/v1"), "k");
  const auto request =
      openai_batches.upload(place, a_batch({"a", "b"}), {{"a", R"({"model":"x"})"}, {"b", R"({"n":2})"}});
  EXPECT_EQ(request.url, "http://here/v1/files");
  EXPECT_EQ(request.method, HttpMethod::post);
  EXPECT_EQ(find_header(request.headers, "Content-Type"), "multipart/form-data; boundary=ridgeline-0123abcd");
  EXPECT_EQ(request.body,
            "--ridgeline-0123abcd\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n"
            "--ridgeline-0123abcd\r\nContent-Disposition: form-data; name=\"file\"; "
            "filename=\"0123abcd.jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n"
            R"({"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"x"}})"
            "\n"
            R"({"custom_id":"b","method":"POST","url":"/v1/chat/completions","body":{"n":2}})"
            "\n\r\n--ridgeline-0123abcd--\r\n");
}

TEST(OpenAiBatches, CreatesABatchFromTheFileWithTheKeyAsMetadata) {
  const auto place = batch_address(a_model(Provider::openai_chat, "http://here/v1"), "k");
  const auto request = openai_batches.create(place, a_batch({"a"}), {}, "file-1");
  EXPECT_EQ(request.url, "http://here/v1/batches");
  EXPECT_EQ(json::parse(request.body), json::parse(R"({"input_file_id":"file-1",
      "endpoint":"/v1/chat/completions","completion_window":"24h",
      "metadata":{"ridgeline_batch":"0123abcd"}})"));
}

TEST(OpenAiBatches, ReadsEveryState) {
  using Phase = BatchState::Phase;
  const std::vector<std::pair<std::string, Phase>> cases = {
      {"validating", Phase::running}, {"in_progress", Phase::running}, {"finalizing", Phase::running},
      {"cancelling", Phase::running}, {"completed", Phase::ended},     {"expired", Phase::ended},
      {"cancelled", Phase::ended},    {"failed", Phase::refused},      {"COMPLETED", Phase::ended}};
  for (const auto& [word, phase] : cases)
    EXPECT_EQ(openai_batches.state({{"id", "b"}, {"status", word}})->phase, phase) << word;
  const auto ended = openai_batches.state(
      json::parse(R"({"id":"b","status":"completed","output_file_id":"f1","error_file_id":"f2"})"));
  EXPECT_THAT(ended->results, ElementsAre("/files/f1/content", "/files/f2/content"));
  EXPECT_THAT(
      openai_batches.state({{"id", "b"}, {"status", "expired"}, {"output_file_id", nullptr}})->results,
      IsEmpty());
  EXPECT_EQ(openai_batches.state({{"status", "completed"}}), std::nullopt);
  EXPECT_EQ(openai_batches.state({{"object", "list"}}), std::nullopt);
}

TEST(OpenAiBatches, ReadsWhyABatchWasRefused) {
  const auto state = openai_batches.state(json::parse(R"({"id":"b","status":"failed","errors":{"data":[
      {"code":"invalid_json_line","line":2,"message":"no JSON"},
      {"code":"token_limit_exceeded","line":null,"message":"Enqueued token limit reached"},
      {"code":"model_not_found","message":"no such model"}]}})"));
  ASSERT_EQ(state->problems.size(), 3u);
  EXPECT_EQ(state->problems[0].item, 1u);
  EXPECT_EQ(state->problems[0].failure.status, LlmStatus::bad_request);
  EXPECT_THAT(state->problems[0].failure.detail, HasSubstr("no JSON"));
  EXPECT_EQ(state->problems[1].item, std::nullopt);
  EXPECT_EQ(state->problems[1].failure.status, LlmStatus::rate_limited);
  EXPECT_EQ(state->problems[1].failure.blame, Blame::endpoint) << "it passes";
  EXPECT_EQ(state->problems[2].failure.status, LlmStatus::not_found);
  EXPECT_NE(state->problems[2].failure.blame, Blame::endpoint);
}

/// `line` as the outcome of its item.
template <class Kind>
const Kind* outcome(const BatchDialect& dialect, const char* line, std::optional<BatchLine>& kept) {
  kept = dialect.line(json::parse(line), "http://here", kNow);
  return kept ? std::get_if<Kind>(&kept->outcome) : nullptr;
}

TEST(OpenAiBatches, ReadsLinesOfResults) {
  std::optional<BatchLine> line;
  const auto* whole =
      outcome<json>(openai_batches,
                    R"({"custom_id":"a","response":{"status_code":200,"body":{"x":1}},"error":null})", line);
  ASSERT_TRUE(whole);
  EXPECT_EQ(line->custom_id, "a");
  EXPECT_EQ(*whole, json({{"x", 1}}));
  const auto* failure = outcome<Failure>(
      openai_batches,
      R"({"custom_id":"a","response":{"status_code":400,"body":{"error":{"message":"bad","code":"x"}}}})",
      line);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, LlmStatus::bad_request);
  EXPECT_THAT(failure->detail, HasSubstr("bad"));
  ASSERT_TRUE(outcome<NotRun>(
      openai_batches,
      R"({"custom_id":"a","response":null,"error":{"code":"batch_expired","message":"late"}})", line));
  ASSERT_TRUE(outcome<NotRun>(
      openai_batches, R"({"custom_id":"a","response":null,"error":{"code":"batch_cancelled"}})", line));
  failure =
      outcome<Failure>(openai_batches, R"({"custom_id":"a","error":{"code":"x","message":"odd"}})", line);
  ASSERT_TRUE(failure);
  EXPECT_THAT(failure->detail, HasSubstr("odd"));
  for (const char* none : {R"({"response":{"status_code":200}})", R"({"custom_id":"a"})", "[]", "3"})
    EXPECT_EQ(openai_batches.line(json::parse(none), "", kNow), std::nullopt) << none;
}

TEST(OpenAiBatches, FindsABatchByItsMetadataPageByPage) {
  const auto record = a_batch({"a"});
  const json found = json::parse(R"({"data":[{"id":"b1","metadata":null,"created_at":1700000900},
      {"id":"b2","metadata":{"ridgeline_batch":"0123abcd"},"created_at":1700000000}],"has_more":false})");
  EXPECT_EQ(std::get<FoundBatch>(openai_batches.search(found, record, {})).id, "b2");
  EXPECT_FALSE(std::get<FoundBatch>(openai_batches.search(found, record, {})).guessed);
  auto page = json::parse(R"({"data":[{"id":"b1","created_at":1700000900}],"has_more":true})");
  EXPECT_EQ(std::get<NextPage>(openai_batches.search(page, record, {})).path, "/batches?limit=100&after=b1");
  page["has_more"] = false;
  EXPECT_TRUE(std::holds_alternative<BatchNotListed>(openai_batches.search(page, record, {})));
  page = json::parse(R"({"data":[{"id":"b1","created_at":1699990000}],"has_more":true})");
  EXPECT_TRUE(std::holds_alternative<BatchNotListed>(openai_batches.search(page, record, {})))
      << "older ones need not be read";
  EXPECT_TRUE(
      std::holds_alternative<BatchNotListed>(openai_batches.search({{"data", json::array()}}, record, {})));
}

TEST(AnthropicBatches, PutsTheRequestsIntoTheBatch) {
  const auto place = batch_address(a_model(Provider::anthropic, "http://here"), "k");
  const auto request =
      anthropic_batches.create(place, a_batch({"a", "b"}), {{"a", R"({"x":1})"}, {"b", R"({"x":2})"}}, "");
  EXPECT_EQ(anthropic_batches.upload, nullptr);
  EXPECT_EQ(request.url, "http://here/v1/messages/batches");
  EXPECT_EQ(json::parse(request.body), json::parse(R"({"requests":[{"custom_id":"a","params":{"x":1}},
                                                                   {"custom_id":"b","params":{"x":2}}]})"));
}

TEST(AnthropicBatches, ReadsStatesAndLinesOfResults) {
  using Phase = BatchState::Phase;
  EXPECT_EQ(anthropic_batches.state({{"id", "b"}, {"processing_status", "in_progress"}})->phase,
            Phase::running);
  EXPECT_EQ(anthropic_batches.state({{"id", "b"}, {"processing_status", "canceling"}})->phase,
            Phase::running);
  const auto ended =
      anthropic_batches.state({{"id", "b"},
                               {"processing_status", "ended"},
                               {"results_url", "https://elsewhere/v1/messages/batches/b/results"}});
  EXPECT_EQ(ended->phase, Phase::ended);
  EXPECT_THAT(ended->results, ElementsAre("/messages/batches/b/results")) << "the key goes nowhere else";
  EXPECT_EQ(anthropic_batches.state({{"type", "error"}}), std::nullopt);

  std::optional<BatchLine> line;
  const auto* whole = outcome<json>(
      anthropic_batches, R"({"custom_id":"a","result":{"type":"succeeded","message":{"x":1}}})", line);
  ASSERT_TRUE(whole);
  EXPECT_EQ(*whole, json({{"x", 1}}));
  const auto* failure =
      outcome<Failure>(anthropic_batches,
                       R"({"custom_id":"a","result":{"type":"errored","error":{"type":"error",
                                             "error":{"type":"invalid_request_error","message":"bad"}}}})",
                       line);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, LlmStatus::bad_request);
  EXPECT_THAT(failure->detail, HasSubstr("bad"));
  for (const char* word : {"canceled", "expired"}) {
    const auto text = std::string(R"({"custom_id":"a","result":{"type":")") + word + "\"}}";
    const auto* not_run = outcome<NotRun>(anthropic_batches, text.c_str(), line);
    ASSERT_TRUE(not_run);
    EXPECT_EQ(not_run->word, word);
  }
  EXPECT_EQ(anthropic_batches.line({{"custom_id", "a"}}, "", kNow), std::nullopt);
}

TEST(AnthropicBatches, GuessesABatchFromTimeAndSize) {
  const auto record = a_batch({"a", "b"});  // of 2023-11-14T22:13:20Z
  const auto batch = [](const char* id, const char* created, int running, int done) {
    return json{{"id", id},
                {"created_at", created},
                {"request_counts", {{"processing", running}, {"succeeded", done}, {"errored", 0}}}};
  };
  const auto search = [&](json batches, bool more, const std::vector<std::string>& known) {
    return anthropic_batches.search({{"data", std::move(batches)}, {"has_more", more}}, record, known);
  };
  const auto ours = batch("b1", "2023-11-14T22:13:25Z", 1, 1);
  const auto found = search(json::array({batch("b0", "2023-11-14T22:14:00Z", 3, 0), ours}), false, {});
  EXPECT_EQ(std::get<FoundBatch>(found).id, "b1");
  EXPECT_TRUE(std::get<FoundBatch>(found).guessed);
  EXPECT_TRUE(std::holds_alternative<BatchNotListed>(search(json::array({ours}), false, {"b1"})))
      << "known to be another";
  EXPECT_TRUE(std::holds_alternative<BatchNotListed>(
      search(json::array({batch("b1", "2023-11-14T21:00:00Z", 2, 0)}), true, {})))
      << "from before";
  const auto later = search(json::array({batch("b9", "2023-11-15T12:00:00Z", 2, 0)}), true, {});
  EXPECT_EQ(std::get<NextPage>(later).path, "/messages/batches?limit=100&after_id=b9");
}

TEST(EndOfItem, AnEmptyAnswerIsAFailureAndErrorsAreNotBilled) {
  const auto empty = json::parse(R"({"choices":[{"message":{"content":""},"finish_reason":"stop"}]})");
  const auto end = end_of_item(Provider::openai_chat, {"a", empty});
  ASSERT_TRUE(end.answer.failure);
  EXPECT_EQ(end.answer.failure->status, LlmStatus::empty);
  EXPECT_TRUE(end.answer.failure->may_be_billed);
  EXPECT_EQ(json::parse(end.raw), empty);
  EXPECT_FALSE(end_of_item(Provider::openai_chat, {"a", Failure{}}).answer.failure->may_be_billed);
  const auto expired = end_of_item(Provider::openai_chat, {"a", NotRun{"expired"}});
  EXPECT_FALSE(expired.answer.failure->may_be_billed);
  EXPECT_THAT(expired.answer.failure->detail, HasSubstr("expired"));
  EXPECT_TRUE(end_without_line().answer.failure->may_be_billed);
}

}  // namespace
}  // namespace ridgeline::llm
