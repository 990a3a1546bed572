// Anthropic's Message Batches API. The POST of a batch contains its requests, and the results are JSON lines
// at an address of their own.
#include <algorithm>

#include "llm_clients/batch_dialect.hpp"
#include "llm_clients/json_access.hpp"
#include "llm_clients/provider_error.hpp"
#include "llm_clients/retry_hints.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;

constexpr const char* kMessageBatches = "/messages/batches";
// The provider's clock and this machine's may differ by this much.
constexpr auto kClockTolerance = std::chrono::minutes(10);
// A batch may have been created this much later than its record says, because the upload of a large body
// takes a while.
constexpr auto kLongestCreation = std::chrono::hours(1);

HttpRequest anthropic_create(const BatchAddress& place, const BatchRecord&,
                             const std::vector<BatchItem>& items, const std::string&) {
  // Built as text: parsing up to 100 MB of bodies, only to write them again, would double memory and time.
  std::string body = R"({"requests":[)";
  for (const auto& item : items)
    body += (&item == items.data() ? "" : ",") + (R"({"custom_id":)" + dump_json(item.custom_id)) +
            R"(,"params":)" + item.body + '}';
  return place.post(kMessageBatches, body + "]}", "application/json");
}

std::optional<BatchState> anthropic_state(const json& answer) {
  BatchState state;
  state.id = text_at(answer, "id");
  const auto& word = text_at(answer, "processing_status");
  if (state.id.empty() || word.empty()) return std::nullopt;
  // "in_progress" and "canceling" end as "ended"; Anthropic knows no refused batches.
  if (word != "ended") return state;
  state.phase = BatchState::Phase::ended;
  // The same path as in `results_url`. The URL itself is not used: behind a gateway it names Anthropic's
  // host, and the gateway's key must not go there.
  state.results.push_back(std::string(kMessageBatches) + '/' + state.id + "/results");
  return state;
}

std::optional<BatchLine> anthropic_line(const json& line, const std::string&,
                                        std::chrono::system_clock::time_point) {
  const auto& id = text_at(line, "custom_id");
  const auto& result = member(line, "result");
  const auto& type = text_at(result, "type");
  if (id.empty() || type.empty()) return std::nullopt;
  if (type == "succeeded") return BatchLine{id, member(result, "message")};
  if (type == "canceled" || type == "expired") return BatchLine{id, NotRun{type}};
  // The error object is nested: {"type":"error","error":{"type":...,"message":...}}; gateways drop the
  // outer one.
  const auto& error = error_in(member(result, "error"));
  return BatchLine{id, failure_of_error(error.is_null() ? member(result, "error") : error)};
}

/// Returns how many requests a batch has. The list does not say it, but every request is in one of these
/// counts.
std::size_t requests_in(const json& batch) {
  std::int64_t all = 0;
  for (const auto* key : {"processing", "succeeded", "errored", "canceled", "expired"})
    all += integer_at(member(batch, "request_counts"), key).value_or(0);
  return static_cast<std::size_t>(std::max<std::int64_t>(0, all));
}

BatchSearch anthropic_search(const json& page, const BatchRecord& record,
                             const std::vector<std::string>& known) {
  const auto& batches = member(page, "data");
  if (!batches.is_array() || batches.empty()) return BatchNotListed{};
  for (const auto& batch : batches) {
    const auto created = parse_rfc3339(text_at(batch, "created_at"));
    // The list is sorted from the newest on: no older page can hold the batch.
    if (created && *created < record.created - kClockTolerance) return BatchNotListed{};
    if (!created || *created > record.created + kLongestCreation) continue;
    const auto& id = text_at(batch, "id");
    if (requests_in(batch) == record.custom_ids.size() && std::ranges::find(known, id) == known.end())
      return FoundBatch{.id = id, .guessed = true};
  }
  if (member(page, "has_more") != true) return BatchNotListed{};
  return NextPage{std::string(kMessageBatches) + "?limit=100&after_id=" + text_at(batches.back(), "id")};
}

}  // namespace

const BatchDialect anthropic_batches{nullptr,         anthropic_create, kMessageBatches,
                                     anthropic_state, anthropic_line,   "/messages/batches?limit=100",
                                     anthropic_search};

}  // namespace ridgeline::llm
