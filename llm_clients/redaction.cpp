#include "llm_clients/redaction.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace ridgeline::llm {
namespace {

std::string percent_encoded(std::string_view text) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const unsigned char c : text) {
    if (std::isalnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += static_cast<char>(c);
    } else {
      encoded += '%';
      encoded += digits[c >> 4];
      encoded += digits[c & 15];
    }
  }
  return encoded;
}

std::string json_escaped(std::string_view text, bool slashes) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\' || (slashes && c == '/')) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

Redactor::Redactor(const std::string& key) {
  if (key.size() < 8) return;
  for (auto form : {key, percent_encoded(key), json_escaped(key, false), json_escaped(key, true)})
    if (std::ranges::find(forms_, form) == forms_.end()) forms_.push_back(std::move(form));
}

std::string Redactor::operator()(std::string text) const {
  static constexpr std::string_view mark = "[api key]";
  for (const auto& form : forms_)
    for (auto at = text.find(form); at != std::string::npos; at = text.find(form, at + mark.size()))
      text.replace(at, form.size(), mark);
  return text;
}

}  // namespace ridgeline::llm
