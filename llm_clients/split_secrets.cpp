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

std::size_t place_below(std::size_t place, const std::string& key) {
  return (place ^ std::hash<std::string>{}(key)) * 0x9e3779b97f4a7c15ull + 1;
}

/// Calls `text(place, string)` for every string of `value`, in order. Names of members count as texts too.
template <class Json, class OnText>
void each_text(Json& value, std::size_t place, const OnText& text) {
  if (value.is_string()) {
    text(
        place,
        value
            .template get_ref<std::conditional_t<std::is_const_v<Json>, const std::string&, std::string&>>());
  } else if (value.is_array()) {
    for (auto& item : value) each_text(item, place, text);
  } else if (value.is_object()) {
    for (auto& [key, item] : value.items()) each_text(item, place_below(place, key), text);
  }
}

/// Members whose very name holds a secret go.
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
  std::size_t begin;  ///< in the text that all pieces of its place come to
};

/// Takes `places` of the whole out of its pieces; the mark stands where each begins.
void cut(const std::vector<Piece>& pieces, const std::vector<Redactor::Range>& places) {
  for (const auto& [text, begin] : pieces) {
    const auto end = begin + text->size();
    std::string kept;
    auto at = begin;
    for (const auto& place : places) {
      if (place.end <= at || place.begin >= end) continue;
      if (place.begin >= begin) {
        kept += text->substr(at - begin, place.begin - at);
        kept += Redactor::kMark;
      }
      at = std::min(place.end, end);
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
  std::unordered_map<std::size_t, Whole> wholes;
  for (auto* document : documents) {
    drop_named_secrets(*document, redact);
    each_text(*document, 0, [&](std::size_t place, std::string& text) {
      auto& whole = wholes[place];
      whole.pieces.push_back({&text, whole.text.size()});
      whole.text += text;
    });
  }
  for (auto& [place, whole] : wholes)
    if (const auto places = redact.find_all(whole.text); !places.empty()) cut(whole.pieces, places);
}

bool name_holds(const nlohmann::json& value, const Redactor& redact) {
  if (value.is_object())
    for (const auto& [key, item] : value.items())
      if (redact.contains_secret(key)) return true;
  return value.is_structured() &&
         std::ranges::any_of(value, [&](const nlohmann::json& item) { return name_holds(item, redact); });
}

}  // namespace

void TextsByPath::add(const nlohmann::json& document) {
  each_text(document, 0, [&](std::size_t place, const std::string& text) { texts_[place] += text; });
}

bool TextsByPath::contain_secret(const Redactor& redact) const {
  return std::ranges::any_of(texts_, [&](const auto& text) { return redact.contains_secret(text.second); });
}

std::string without_split_secrets(std::string body, const Redactor& redact) {
  auto document = parse_foreign_json(body);
  if (!document) return body;
  TextsByPath texts;
  texts.add(*document);
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
    // Data that is no JSON has one line here; it was never more than a word such as [DONE].
    auto data = document ? dump_json(*document) : event.data;
    std::ranges::replace(data, '\n', ' ');
    clean += "data: " + data + "\n\n";
  }
  return clean;
}

}  // namespace ridgeline::llm
