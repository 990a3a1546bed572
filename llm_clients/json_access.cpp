#include "llm_clients/json_access.hpp"

#include <nlohmann/json.hpp>

#include "llm_clients/surrogates.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

/// The null that `member` and `first_of` return by reference, so that calls can be chained without copies.
const nlohmann::json& null_json() {
  static const nlohmann::json null;
  return null;
}

/// Whether brackets outside strings nest deeper than any provider's document. The JSON library recurses for
/// each level when it reads, writes and destroys a document, so a million brackets overflow the stack.
bool too_deep(std::string_view text) {
  constexpr int kDeepest = 512;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

const nlohmann::json& member(const nlohmann::json& object, std::string_view key) {
  if (!object.is_object()) return null_json();
  const auto found = object.find(key);
  return found == object.end() ? null_json() : *found;
}

const nlohmann::json& first_of(const nlohmann::json& array) {
  return array.is_array() && !array.empty() ? array.front() : null_json();
}

const std::string& text_at(const nlohmann::json& object, std::string_view key) {
  static const std::string empty;
  const auto& value = member(object, key);
  return value.is_string() ? value.get_ref<const std::string&>() : empty;
}

std::optional<std::int64_t> integer_at(const nlohmann::json& object, std::string_view key) {
  const auto& value = member(object, key);
  // 10.0 is no integer here; token_count (usage_reader.hpp) accepts it.
  if (!value.is_number_integer()) return std::nullopt;
  return value.get<std::int64_t>();
}

bool is_first_choice(const nlohmann::json& choice) {
  return integer_at(choice, "index").value_or(0) == 0;
}

std::optional<nlohmann::json> parse_foreign_json(std::string_view text) {
  if (too_deep(text)) return std::nullopt;
  // Three attempts, the cheap one first. Invalid UTF-8 or a lone surrogate makes the whole document invalid
  // for the library, and an answer is worth more than one character.
  auto value = nlohmann::json::parse(text, nullptr, false);
  if (value.is_discarded()) value = nlohmann::json::parse(valid_utf8(text), nullptr, false);
  if (value.is_discarded())
    value = nlohmann::json::parse(encode_lone_surrogates(valid_utf8(text)), nullptr, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

std::string dump_json(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace ridgeline::llm
