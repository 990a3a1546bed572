// Writes the requests and reads the answers of each provider's batch endpoint: one BatchDialect, a table of
// pure functions, per provider that has such an endpoint. Sends nothing.
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

/// The address of a model entry's batch endpoint.
struct BatchAddress {
  std::string root;      ///< the URL prefix of all paths of the batch endpoint
  std::string query;     ///< the query of base_url with its '?'; appended to every request
  std::string item_url;  ///< OpenAI only: the path that each item names, "/v1/chat/completions"
  HttpHeaders headers;   ///< contain the key
  Timeouts timeouts;

  HttpRequest get(const std::string& path) const;
  HttpRequest post(const std::string& path, std::string body, const std::string& content_type) const;
};

/// The provider did not run the item, and does not bill it.
struct NotRun {
  std::string word;  ///< the provider's own: "expired"
};

/// One line of a batch's results.
struct BatchLine {
  std::string custom_id;
  /// The answer in the form of the ordinary endpoint, or what went wrong.
  std::variant<nlohmann::json, Failure, NotRun> outcome;
};

/// A reason for which a provider refused a batch after its creation. (A creation that fails is an HTTP
/// error.)
struct BatchProblem {
  std::optional<std::size_t> item;  ///< index of the item at fault; nothing: the batch as a whole
  Failure failure;
};

struct BatchState {
  enum class Phase { running, ended, refused };

  std::string id;
  Phase phase = Phase::running;
  std::vector<std::string> results;    ///< if ended: paths to GET, one after the other
  std::vector<BatchProblem> problems;  ///< if refused
};

/// The outcome of searching one page of the provider's list for a batch that may have been created: its
/// creation was sent, and no answer came. OpenAI lists the record's key as metadata. Anthropic lists no
/// metadata: a batch with as many requests as the record, created at about the record's time, is assumed to
/// be the right one (`guessed`) until its results show whose it is.
struct FoundBatch {
  std::string id;
  bool guessed = false;
};
struct NextPage {
  std::string path;
};
struct BatchNotListed {};
using BatchSearch = std::variant<FoundBatch, NextPage, BatchNotListed>;

struct BatchDialect {
  /// Makes the upload of a file with the items, sent before `create`. Null if the batch itself holds them.
  HttpRequest (*upload)(const BatchAddress&, const BatchRecord&, const std::vector<BatchItem>&);
  /// Makes the request that creates the batch. `file` is the id of the upload.
  HttpRequest (*create)(const BatchAddress&, const BatchRecord&, const std::vector<BatchItem>&,
                        const std::string& file);
  const char* path;  ///< path of the batch collection, behind `root`
  /// Reads the state of a batch. Returns nothing if the answer describes no batch.
  std::optional<BatchState> (*state)(const nlohmann::json&);
  /// Reads one line of results, from which secrets were removed (redaction.hpp). Returns nothing for a line
  /// without an outcome. `url`, where the results came from, is named in failures. `wall` is the present
  /// time: a date until which to wait becomes seconds from then.
  std::optional<BatchLine> (*line)(const nlohmann::json&, const std::string& url,
                                   std::chrono::system_clock::time_point wall);
  const char* first_page;  ///< path of the list of batches, newest first
  /// Searches one page of the list. Passes over batches with an id in `known`, which belong to other records
  /// or turned out to be another's; where the key is listed, `known` is not needed.
  BatchSearch (*search)(const nlohmann::json& page, const BatchRecord&,
                        const std::vector<std::string>& known);
};

/// Returns null if no batch endpoint of that provider is supported.
const BatchDialect* batch_dialect_of(Provider provider);

extern const BatchDialect openai_batches;
extern const BatchDialect anthropic_batches;

/// Returns the batch endpoint beside the ordinary one of `model`. Throws BadInput if none is known for that
/// address.
BatchAddress batch_address(const Model& model, const std::string& key);

/// Returns the body of a request as a batch carries it: the ordinary body without the keys for streams.
std::string batch_body(const Model& model, const LlmRequest& request);

}  // namespace ridgeline::llm
