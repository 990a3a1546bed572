#include "llm_clients/redaction.hpp"

#include <algorithm>
#include <cctype>

#include "llm_clients/base64.hpp"

namespace ridgeline::llm {
namespace {

constexpr std::size_t kShortestSecret = 8;

/// Encodes as RFC 3986 does; servers use upper-case and lower-case digits.
std::string percent_encoded(std::string_view text, const char* digits) {
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

/// Escapes as JSON writers do; some escape slashes too (PHP).
std::string json_escaped(std::string_view text, bool slashes) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\' || (slashes && c == '/')) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Returns the base64 characters that depend on `secret` alone if `before` bytes, modulo 3, precede it. The
/// first and last characters may mix in bits of neighbouring bytes and are left out.
std::string base64_core(const std::string& secret, std::size_t before) {
  const auto encoded = base64(std::string(before, '\0') + secret);
  const auto first = (8 * before + 5) / 6, past = 8 * (before + secret.size()) / 6;
  return encoded.substr(first, past - first);
}

std::string url_safe(std::string text) {
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

}  // namespace

void Redactor::add(const std::string& secret) {
  // A short placeholder would be found everywhere in ordinary text.
  if (secret.size() < kShortestSecret) return;
  std::vector<std::string> forms = {secret, percent_encoded(secret, "0123456789ABCDEF"),
                                    percent_encoded(secret, "0123456789abcdef"), json_escaped(secret, false),
                                    json_escaped(secret, true)};
  // Base64 groups three bytes, so a secret has three encodings, depending on where it begins. A Basic
  // credential, for example, has a user name before it.
  for (const std::size_t before : {0, 1, 2}) {
    auto core = base64_core(secret, before);
    forms.push_back(url_safe(core));
    forms.push_back(json_escaped(core, true));
    forms.push_back(std::move(core));
  }
  for (auto& form : forms)
    if (std::ranges::find(forms_, form) == forms_.end()) forms_.push_back(std::move(form));
  // Longest first: a form that contains another must be replaced before its part is.
  std::ranges::stable_sort(forms_, std::greater{}, &std::string::size);
}

std::string Redactor::operator()(std::string text) const {
  for (const auto& form : forms_)
    // Searches on behind the mark, so that a secret which occurs in the mark cannot loop.
    for (auto at = text.find(form); at != std::string::npos; at = text.find(form, at + kMark.size()))
      text.replace(at, form.size(), kMark);
  return text;
}

bool Redactor::contains_secret(std::string_view text) const {
  return std::ranges::any_of(
      forms_, [&](const std::string& form) { return text.find(form) != std::string_view::npos; });
}

std::vector<Redactor::Range> Redactor::find_all(std::string_view text) const {
  std::vector<Range> places;
  for (const auto& form : forms_)
    for (auto at = text.find(form); at != std::string_view::npos; at = text.find(form, at + 1))
      places.push_back({at, at + form.size()});
  std::ranges::sort(places, {}, &Range::begin);
  std::vector<Range> apart;
  for (const auto& place : places) {
    if (!apart.empty() && place.begin <= apart.back().end)
      apart.back().end = std::max(apart.back().end, place.end);
    else
      apart.push_back(place);
  }
  return apart;
}

}  // namespace ridgeline::llm
