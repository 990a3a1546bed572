#include "llm_clients/split_secrets.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "llm_clients/json_access.hpp"
#include "llm_clients/sse_parser.hpp"

namespace ridgeline::llm {
namespace {

/// Combines a path with a member name. Two paths with one hash would only redact too much.
std::size_t path_below(std::size_t path, const std::string& key) {
  return (path ^ std::hash<std::string>{}(key)) * 0x9e3779b97f4a7c15ull + 1;
}

/// Calls `text(path, string)` for every string of `value`, in order. A path is a hash of the member names
/// that lead to the string; elements of a list share the path of the list.
template <class Json, class OnText>
void each_text(Json& value, std::size_t path, const OnText& text) {
  if (value.is_string()) {
    text(
        path,
        value
            .template get_ref<std::conditional_t<std::is_const_v<Json>, const std::string&, std::string&>>());
  } else if (value.is_array()) {
    for (auto& item : value) each_text(item, path, text);
  } else if (value.is_object()) {
    for (auto& [key, item] : value.items()) each_text(item, path_below(path, key), text);
  }
}

/// Removes members whose name contains a secret.
void drop_named_secrets(nlohmann::json& value, const Redactor& redact) {
  if (value.is_object()) {
    std::vector<std::string> dropped;
    for (const auto& [key, item] : value.items())
      if (redact.contains_secret(key)) dropped.push_back(key);
    for (const auto& key : dropped) value.erase(key);
  }
  if (value.is_structured())
    for (auto& item : value) drop_named_secrets(item, redact);
}

struct Piece {
  std::string* text;
  std::size_t begin;  ///< offset in the concatenation of all pieces with its path
};

/// Removes the ranges `secrets`, given as offsets in the concatenation, from the pieces. The mark replaces
/// the first part of each.
void cut(const std::vector<Piece>& pieces, const std::vector<Redactor::Range>& secrets) {
  for (const auto& [text, begin] : pieces) {
    const auto end = begin + text->size();
    std::string kept;
    auto at = begin;
    for (const auto& secret : secrets) {
      if (secret.end <= at || secret.begin >= end) continue;
      if (secret.begin >= begin) {
        kept += text->substr(at - begin, secret.begin - at);
        kept += Redactor::kMark;
      }
      at = std::min(secret.end, end);
    }
    kept += text->substr(at - begin);
    *text = std::move(kept);
  }
}

void cut_from(std::vector<nlohmann::json*> documents, const Redactor& redact) {
  struct Whole {
    std::string text;
    std::vector<Piece> pieces;
  };
  // All documents together: a model can be made to write a key letter by letter, one event each.
  std::unordered_map<std::size_t, Whole> wholes;
  for (auto* document : documents) {
    drop_named_secrets(*document, redact);
    each_text(*document, 0, [&](std::size_t path, std::string& text) {
      auto& whole = wholes[path];
      whole.pieces.push_back({&text, whole.text.size()});
      whole.text += text;
    });
  }
  for (auto& [path, whole] : wholes)
    if (const auto secrets = redact.find_all(whole.text); !secrets.empty()) cut(whole.pieces, secrets);
}

/// Whether the name of a member, at any depth, contains a secret.
bool name_holds(const nlohmann::json& value, const Redactor& redact) {
  if (value.is_object())
    for (const auto& [key, item] : value.items())
      if (redact.contains_secret(key)) return true;
  return value.is_structured() &&
         std::ranges::any_of(value, [&](const nlohmann::json& item) { return name_holds(item, redact); });
}

}  // namespace

void TextsByPath::add(const nlohmann::json& document) {
  each_text(document, 0, [&](std::size_t path, const std::string& text) { texts_[path] += text; });
}

bool TextsByPath::contain_secret(const Redactor& redact) const {
  return std::ranges::any_of(texts_, [&](const auto& text) { return redact.contains_secret(text.second); });
}

std::string without_split_secrets(std::string body, const Redactor& redact) {
  auto document = parse_foreign_json(body);
  if (!document) return body;
  TextsByPath texts;
  texts.add(*document);
  // Unchanged bytes for the ordinary case: writing the document again would change spaces and escapes.
  if (!texts.contain_secret(redact) && !name_holds(*document, redact)) return body;
  cut_from({&*document}, redact);
  return dump_json(*document);
}

std::string stream_without_split_secrets(std::string_view stream, const Redactor& redact) {
  struct Event {
    SseEvent event;
    std::optional<nlohmann::json> document;
  };
  std::vector<Event> events;
  SseParser parser([&](const SseEvent& event) { events.push_back({event, parse_foreign_json(event.data)}); });
  parser.feed(stream);
  std::vector<nlohmann::json*> documents;
  for (auto& event : events)
    if (event.document) documents.push_back(&*event.document);
  cut_from(documents, redact);
  std::string clean;
  for (const auto& [event, document] : events) {
    if (!event.event.empty()) clean += "event: " + event.event + '\n';
    // Data that is no JSON is a word such as [DONE]. A line end in it would end the event.
    auto data = document ? dump_json(*document) : event.data;
    std::ranges::replace(data, '\n', ' ');
    clean += "data: " + data + "\n\n";
  }
  return clean;
}

}  // namespace ridgeline::llm
