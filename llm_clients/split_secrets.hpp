// Redacts secrets that a search of the bytes cannot find, because they are spread over several events of a
// stream or several parts of a list, or written with JSON escapes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "llm_clients/redaction.hpp"

namespace ridgeline::llm {

/// Concatenates the texts of JSON documents by their path: "choices/delta/content" is one text, however many
/// events it came in. All elements of a list share one path.
class TextsByPath {
 public:
  void add(const nlohmann::json& document);
  bool contain_secret(const Redactor& redact) const;

 private:
  std::unordered_map<std::size_t, std::string> texts_;  ///< by the hash of their path
};

/// Returns the JSON text `body` without any piece of a secret; unchanged if it is no JSON.
std::string without_split_secrets(std::string body, const Redactor& redact);

/// Does the same for the bytes of an event stream. Omits what is no event (comments, an incomplete end).
std::string stream_without_split_secrets(std::string_view stream, const Redactor& redact);

}  // namespace ridgeline::llm
