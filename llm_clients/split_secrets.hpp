// Secrets that no search of the bytes finds: spread over several events of a stream or parts of a list,
// piece by piece, or written with JSON's escapes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "llm_clients/redaction.hpp"

namespace ridgeline::llm {

/// What the texts of JSON documents come to, put together for each place in them: "choices/delta/content" is
/// one text however many events it came in. The places of lists are one.
class TextsByPlace {
 public:
  void add(const nlohmann::json& document);
  bool hold(const Redactor& redact) const;

 private:
  std::unordered_map<std::size_t, std::string> texts_;  ///< by the hash of their place
};

/// The JSON text `body` with all pieces of secrets taken out; as it is where it is no JSON.
std::string without_split_secrets(std::string body, const Redactor& redact);

/// The same for the bytes of an event stream. What is no event (comments, a torn end) is left out.
std::string stream_without_split_secrets(std::string_view stream, const Redactor& redact);

}  // namespace ridgeline::llm
