#include "llm_clients/batch_record.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "llm_clients/json_access.hpp"

namespace ridgeline::llm {
namespace {

using WholeSeconds = std::chrono::seconds;

class RecordReader {
 public:
  RecordReader(const nlohmann::json& value, const std::string& where) : json_(value), where_(where) {}

  std::string text(const char* key) const {
    if (!member(json_, key).is_string()) fail(key, "a string");
    return text_at(json_, key);
  }
  std::int64_t integer(const char* key) const {
    const auto value = integer_at(json_, key);
    if (!value) fail(key, "an integer");
    return *value;
  }
  std::vector<std::string> texts(const char* key) const {
    const auto& array = member(json_, key);
    if (!array.is_array()) fail(key, "an array of strings");
    std::vector<std::string> all;
    for (const auto& value : array) {
      if (!value.is_string()) fail(key, "an array of strings");
      all.push_back(value.get<std::string>());
    }
    return all;
  }
  [[noreturn]] void fail(const char* key, const char* wanted) const {
    throw BadInput(where_ + ": the file is no record of a batch: \"" + key + "\" must be " + wanted +
                   "; remove the file if its results are not needed any more");
  }

 private:
  const nlohmann::json& json_;
  const std::string& where_;
};

}  // namespace

std::string custom_id_of(const Model& model, const LlmRequest& request, std::string_view body) {
  // Address and hash identify a request of a campaign. The body does not: it changes when an optional part
  // is left out.
  const bool known = !request.address.empty() || !request.request_hash.empty();
  return sha256_of({model.id, request.address, request.request_hash, known ? std::string_view() : body})
      .substr(0, 40);
}

std::string line_of(const BatchRecord& record) {
  nlohmann::ordered_json written;
  // The names of the keys are a stored format: another version of this program may read the record.
  written["key"] = record.key;
  written["id"] = record.id;
  if (record.guessed) written["guessed"] = true;
  written["provider"] = to_string(record.provider);
  written["endpoint"] = record.endpoint;
  written["created"] = std::chrono::duration_cast<WholeSeconds>(record.created.time_since_epoch()).count();
  written["custom_ids"] = record.custom_ids;
  written["settled"] = record.settled;
  written["not_ours"] = record.not_ours;
  return written.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

BatchRecord batch_record_of(std::string_view line, const std::string& where) {
  const auto value = nlohmann::json::parse(line, nullptr, false);
  const RecordReader read(value, where);
  BatchRecord record;
  record.key = read.text("key");
  record.id = read.text("id");
  record.guessed = member(value, "guessed") == true;
  const auto provider = from_name<Provider>(read.text("provider"));
  if (!provider) read.fail("provider", "the name of a provider");
  record.provider = *provider;
  record.endpoint = read.text("endpoint");
  record.created = std::chrono::system_clock::time_point(WholeSeconds(read.integer("created")));
  record.custom_ids = read.texts("custom_ids");
  record.settled = read.texts("settled");
  record.not_ours = read.texts("not_ours");
  return record;
}

}  // namespace ridgeline::llm
