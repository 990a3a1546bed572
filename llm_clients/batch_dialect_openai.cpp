// OpenAI's Batch API. A file with a line per request is uploaded first, the batch is created from it, and the
// results are files. Other servers with this API differ in the case of the words for states.
#include <algorithm>
#include <cctype>

#include "llm_clients/batch_dialect.hpp"
#include "llm_clients/json_access.hpp"
#include "llm_clients/provider_error.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;

constexpr const char* kMetadataKey = "ridgeline_batch";
// The provider's clock and this machine's may differ by this much.
constexpr std::int64_t kClocksApart = 3600;  // seconds

HttpRequest openai_upload(const BatchAddress& place, const BatchRecord& record,
                          const std::vector<BatchItem>& items) {
  const std::string boundary = "ridgeline-" + record.key;  // drawn at random, so it occurs in no prompt
  // A multipart/form-data body by hand (RFC 7578): two parts of fixed form need no library.
  std::string body = "--" + boundary +
                     "\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--" + boundary +
                     "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + record.key +
                     ".jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n";
  const std::string url = dump_json(place.item_url);
  for (const auto& item : items)
    body += R"({"custom_id":)" + dump_json(item.custom_id) + R"(,"method":"POST","url":)" + url +
            R"(,"body":)" + item.body + "}\n";
  body += "\r\n--" + boundary + "--\r\n";
  return place.post("/files", std::move(body), "multipart/form-data; boundary=" + boundary);
}

HttpRequest openai_create(const BatchAddress& place, const BatchRecord& record, const std::vector<BatchItem>&,
                          const std::string& file) {
  const json body = {{"input_file_id", file},
                     {"endpoint", place.item_url},
                     {"completion_window", "24h"},
                     {"metadata", {{kMetadataKey, record.key}}}};
  return place.post("/batches", dump_json(body), "application/json");
}

BatchProblem openai_problem(const json& error) {
  BatchProblem problem;
  // OpenAI numbers the lines of the file from 1.
  if (const auto line = integer_at(error, "line"); line && *line > 0)
    problem.item = static_cast<std::size_t>(*line - 1);
  const auto& code = text_at(error, "code");
  problem.failure = failure_of_error(error);
  if (code == "token_limit_exceeded") {  // the account has too much queued already, which passes
    problem.failure.status = LlmStatus::rate_limited;
    problem.failure.blame = Blame::endpoint;
    // A refused batch with an unknown code was wrong, not unlucky: sending it again would be refused again.
  } else if (!code.empty() && problem.failure.status == LlmStatus::server_error) {
    problem.failure.status = LlmStatus::bad_request;
    problem.failure.blame = Blame::request;
  }
  problem.failure.may_be_billed = false;
  problem.failure.detail =
      "the batch was refused (" + excerpt(code, 80) + "): " + excerpt(text_at(error, "message"));
  return problem;
}

std::optional<BatchState> openai_state(const json& answer) {
  using Phase = BatchState::Phase;
  BatchState state;
  state.id = text_at(answer, "id");
  std::string word = text_at(answer, "status");
  if (state.id.empty() || word.empty()) return std::nullopt;
  // Some servers write the states in upper case.
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  if (word == "completed" || word == "expired" || word == "cancelled") state.phase = Phase::ended;
  if (word == "failed") state.phase = Phase::refused;
  // Failed items are in a file of their own. An expired batch may have both files, one or none.
  for (const auto* key : {"output_file_id", "error_file_id"})
    if (const auto& file = text_at(answer, key); !file.empty())
      state.results.push_back("/files/" + file + "/content");
  const auto& errors = member(member(answer, "errors"), "data");
  if (state.phase == Phase::refused && errors.is_array())
    for (const auto& error : errors) state.problems.push_back(openai_problem(error));
  return state;
}

std::optional<BatchLine> openai_line(const json& line, const std::string& url,
                                     std::chrono::system_clock::time_point wall) {
  const auto& id = text_at(line, "custom_id");
  if (id.empty()) return std::nullopt;
  const auto& response = member(line, "response");
  const auto& body = member(response, "body");
  const auto status = integer_at(response, "status_code");
  if (status && *status >= 200 && *status < 300) return BatchLine{id, body};
  // An item has the status of the ordinary endpoint, so the same table of errors applies.
  if (status) return BatchLine{id, failure_of_status({int(*status), {}}, dump_json(body), url, wall)};
  const auto& error = member(line, "error");
  const auto& code = text_at(error, "code");
  if (code == "batch_expired" || code == "batch_cancelled") return BatchLine{id, NotRun{code}};
  if (error.is_null()) return std::nullopt;
  return BatchLine{id, failure_of_error(error)};
}

BatchSearch openai_search(const json& page, const BatchRecord& record, const std::vector<std::string>&) {
  const auto& batches = member(page, "data");
  if (!batches.is_array() || batches.empty()) return BatchNotListed{};
  for (const auto& batch : batches)
    if (text_at(member(batch, "metadata"), kMetadataKey) == record.key)
      return FoundBatch{.id = text_at(batch, "id")};
  const auto begun =
      std::chrono::duration_cast<std::chrono::seconds>(record.created.time_since_epoch()).count();
  // The list is sorted from the newest on, so the search ends at the first page that reaches back before
  // the POST.
  const auto oldest = integer_at(batches.back(), "created_at");
  const bool more = member(page, "has_more") == true && (!oldest || *oldest > begun - kClocksApart);
  if (!more) return BatchNotListed{};
  return NextPage{"/batches?limit=100&after=" + text_at(batches.back(), "id")};
}

}  // namespace

const BatchDialect openai_batches{openai_upload, openai_create,        "/batches",   openai_state,
                                  openai_line,   "/batches?limit=100", openai_search};

}  // namespace ridgeline::llm
