#include "llm_clients/batch_dialect.hpp"

#include "engine/core/error.hpp"
#include "llm_clients/json_access.hpp"

namespace ridgeline::llm {
namespace {

/// Removes `ending` from the end of `text`. Returns whether it was there.
bool take_ending(std::string& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.resize(text.size() - ending.size());
  return true;
}

}  // namespace

HttpRequest BatchAddress::get(const std::string& path) const {
  HttpRequest request;
  request.url = root + path;
  if (!query.empty()) request.url += (path.find('?') == std::string::npos ? "?" : "&") + query.substr(1);
  request.headers = headers;
  request.headers.push_back({"Accept", "application/json"});
  request.timeouts = timeouts;
  request.method = HttpMethod::get;
  return request;
}

HttpRequest BatchAddress::post(const std::string& path, std::string body,
                               const std::string& content_type) const {
  HttpRequest request = get(path);
  request.headers.push_back({"Content-Type", content_type});
  request.body = std::move(body);
  request.method = HttpMethod::post;
  return request;
}

const BatchDialect* batch_dialect_of(Provider provider) {
  switch (provider) {
    case Provider::openai_chat:
    case Provider::openai_completions:
      return &openai_batches;
    case Provider::anthropic:
      return &anthropic_batches;
    case Provider::gemini:
    case Provider::replay:
    case Provider::mailbox:
      break;
  }
  return nullptr;
}

BatchAddress batch_address(const Model& model, const std::string& key) {
  // Built through the ordinary request, so that base_url, query, key and headers of the entry mean the same
  // for batches.
  const HttpRequest ordinary = http_request(model, {}, key);
  BatchAddress place;
  place.timeouts = ordinary.timeouts;
  for (const auto& header : ordinary.headers)
    if (!same_header(header.name, "Content-Type") && !same_header(header.name, "Accept"))
      place.headers.push_back(header);
  const auto query = ordinary.url.find('?');
  place.root = ordinary.url.substr(0, query);
  if (query != std::string::npos) place.query = ordinary.url.substr(query);
  for (const auto* ending : {"/chat/completions", "/completions", "/messages"}) {
    if (!take_ending(place.root, ending)) continue;
    // OpenAI wants this path relative to its own host, whatever the base_url is.
    place.item_url = "/v1" + std::string(ending);
    return place;
  }
  throw BadInput("models." + model.name + ".batch: no batch endpoint is known beside " + place.root +
                 "; take `batch: true` out");
}

std::string batch_body(const Model& model, const LlmRequest& request) {
  auto body = nlohmann::json::parse(http_request(model, request, "").body);
  // A batch has no streams; OpenAI refuses an item with these keys.
  body.erase("stream");
  body.erase("stream_options");
  return dump_json(body);
}

}  // namespace ridgeline::llm
