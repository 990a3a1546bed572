// Takes keys out of every text that is kept, whoever put them there (servers echo them in errors).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::llm {

class Redactor {
 public:
  /// Secrets of less than 8 characters are placeholders such as "none" or "EMPTY", which local servers want
  /// to see: taking them out would only damage answers, so they stay.
  explicit Redactor(const std::string& secret) { add(secret); }
  explicit Redactor(const std::vector<std::string>& secrets) {
    for (const auto& secret : secrets) add(secret);
  }

  void add(const std::string& secret);
  /// There is something to take out.
  bool any() const { return !forms_.empty(); }

  /// `text` with "[api key]" in place of a secret: as it is, percent-encoded, JSON-escaped, or in base64 with
  /// whatever stands before and after it.
  std::string operator()(std::string text) const;
  bool finds(std::string_view text) const;

  struct Place {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// Where secrets stand in `text`, in order and apart.
  std::vector<Place> places(std::string_view text) const;

  static constexpr std::string_view kMark = "[api key]";

 private:
  std::vector<std::string> forms_;  ///< the longest first
};

}  // namespace ridgeline::llm
