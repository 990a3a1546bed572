// Takes the API key out of every text that is kept, whoever put it there (servers echo it in errors).
#pragma once

#include <string>
#include <vector>

namespace ridgeline::llm {

class Redactor {
 public:
  /// A key of less than 8 characters is a placeholder such as "none" or "EMPTY", which local servers want to
  /// see: taking it out would only damage answers, so it stays.
  explicit Redactor(const std::string& key);

  /// `text` with "[api key]" in place of the key, as it is, percent-encoded or JSON-escaped.
  std::string operator()(std::string text) const;

 private:
  std::vector<std::string> forms_;
};

}  // namespace ridgeline::llm
