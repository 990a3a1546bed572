// How a provider's batch endpoint is asked and how it answers, as pure functions over text: a row of them for
// each provider that has one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "llm_clients/answer.hpp"
#include "llm_clients/batch_record.hpp"
#include "llm_clients/http.hpp"
#include "llm_clients/protocol.hpp"

namespace ridgeline::llm {

/// One request of a batch.
struct BatchItem {
  std::string custom_id;
  std::string body;  ///< JSON
};

/// Where a model entry's batches are.
struct BatchPlace {
  std::string root;      ///< what the paths of the batch endpoint are put behind
  std::string query;     ///< of base_url, with its '?'; goes along with every request
  std::string item_url;  ///< OpenAI: what each line of a batch names, "/v1/chat/completions"
  HttpHeaders headers;   ///< with the key
  Timeouts timeouts;

  HttpRequest get(const std::string& path) const;
  HttpRequest post(const std::string& path, std::string body, const std::string& content_type) const;
};

/// An item that the provider did not run, and does not bill.
struct NotRun {
  std::string word;  ///< the provider's own: "expired"
};

struct BatchLine {
  std::string custom_id;
  /// The whole answer as the ordinary endpoint would give it, or what went wrong.
  std::variant<nlohmann::json, Failure, NotRun> outcome;
};

/// Why a whole batch was refused after it had been taken.
struct BatchProblem {
  std::optional<std::size_t> item;  ///< its place in the batch; nothing: the batch as a whole
  Failure failure;
};

struct BatchState {
  enum class Phase { running, ended, refused };

  std::string id;
  Phase phase = Phase::running;
  std::vector<std::string> results;    ///< of an ended one: paths to GET, one after the other
  std::vector<BatchProblem> problems;  ///< of a refused one
};

/// What a page of the list of batches says about one that may have been created. OpenAI keeps the record's
/// key as metadata. Anthropic keeps nothing: a batch of as many requests, made at about that time, is taken
/// for it until its results show whose it is.
struct FoundBatch {
  std::string id;
  bool guessed = false;
};
struct NextPage {
  std::string path;
};
struct NotThere {};
using BatchSearch = std::variant<FoundBatch, NextPage, NotThere>;

struct BatchDialect {
  /// A file that holds the items and is sent before the batch; null where the batch holds them itself.
  HttpRequest (*upload)(const BatchPlace&, const BatchRecord&, const std::vector<BatchItem>&);
  /// `file`: the id of the upload.
  HttpRequest (*create)(const BatchPlace&, const BatchRecord&, const std::vector<BatchItem>&,
                        const std::string& file);
  const char* path;  ///< of batches, behind `root`
  /// Nothing where the answer is none that the provider gives.
  std::optional<BatchState> (*state)(const nlohmann::json&);
  /// Redacted text of one line of results, parsed. `wall` turns dates into waits.
  std::optional<BatchLine> (*line)(const nlohmann::json&, const std::string& url,
                                   std::chrono::system_clock::time_point wall);
  const char* first_page;  ///< path of the list, the newest first
  /// `known`: ids of batches that are certainly other ones.
  BatchSearch (*search)(const nlohmann::json& page, const BatchRecord&,
                        const std::vector<std::string>& known);
};

/// Null where the provider has no batch endpoint that is spoken here.
const BatchDialect* batch_dialect_of(Provider provider);

extern const BatchDialect openai_batches;
extern const BatchDialect anthropic_batches;

/// The place of `model`, whose body carries no stream. Throws BadInput where its address has none.
BatchPlace batch_place(const Model& model, const std::string& key);

/// The body of a request as a batch carries it: as the ordinary endpoint gets it, without what belongs to
/// streams.
std::string batch_body(const Model& model, const LlmRequest& request);

}  // namespace ridgeline::llm
