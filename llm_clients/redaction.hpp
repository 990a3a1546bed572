// Removes keys from texts before they are stored or shown. Servers echo keys in error messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::llm {

class Redactor {
 public:
  /// Ignores secrets of less than 8 characters. They are placeholders such as "none" or "EMPTY" for local
  /// servers, and replacing them would only damage answers.
  explicit Redactor(const std::string& secret) { add(secret); }
  explicit Redactor(const std::vector<std::string>& secrets) {
    for (const auto& secret : secrets) add(secret);
  }

  void add(const std::string& secret);
  /// Whether there is any secret to search for.
  bool has_secrets() const { return !forms_.empty(); }

  /// Returns `text` with each secret replaced by "[api key]". Finds secrets as they are, percent-encoded,
  /// JSON-escaped, and in base64 at any alignment.
  std::string operator()(std::string text) const;
  bool contains_secret(std::string_view text) const;

  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// Returns the ranges of secrets in `text`, sorted and disjoint.
  std::vector<Range> find_all(std::string_view text) const;

  static constexpr std::string_view kMark = "[api key]";

 private:
  std::vector<std::string> forms_;  ///< all encodings of all secrets, longest first
};

}  // namespace ridgeline::llm
