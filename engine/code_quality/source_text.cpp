#include "engine/code_quality/source_text.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace ridgeline::code_quality {
namespace {

bool starts(std::string_view text, std::size_t at, std::string_view with) {
  return text.substr(at, with.size()) == with;
}

/// The position after the literal that opens at `at` with a quote. In Python three quotes open a literal of
/// several lines: CUDA sources stand there, whose `#define` is no comment.
std::size_t end_of_literal(std::string_view text, std::size_t at, bool python) {
  const char quote = text[at];
  if (const auto three = text.substr(at, 3); python && three == std::string(3, quote)) {
    auto i = at + 3;
    while (i < text.size() && !starts(text, i, three)) i += text[i] == '\\' ? 2 : 1;
    return std::min(i + 3, text.size());
  }
  std::size_t i = at + 1;
  while (i < text.size() && text[i] != quote && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

/// The position after the comment at `at`; `at` itself if no comment starts there.
std::size_t end_of_comment(std::string_view text, std::size_t at, bool python) {
  if (starts(text, at, python ? "#" : "//")) return std::min(text.find('\n', at), text.size());
  if (!python && starts(text, at, "/*")) {
    const auto close = text.find("*/", at + 2);
    return close == std::string_view::npos ? text.size() : close + 2;
  }
  return at;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::string without_comments(std::string_view source, Language language) {
  const bool python = is_python(language);
  std::string text;
  for (std::size_t i = 0; i < source.size();) {
    const auto after = end_of_comment(source, i, python);
    if (after != i) {
      text += ' ';
      i = after;
    } else if (source[i] == '"' ||
               (source[i] == '\'' &&
                (i == 0 || !is_word(source[i - 1])))) {  // a ' after a digit or letter is no literal: 1'000
      const auto end = end_of_literal(source, i, python);
      text += source.substr(i, end - i);
      i = end;
    } else {
      text += source[i++];
    }
  }
  return text;
}

std::string normalised(std::string_view source, Language language) {
  // Python's indentation has meaning, so there only line ends, blank lines and spaces inside a line are
  // normalised.
  const bool python = is_python(language);
  std::string text;
  bool line_start = true, gap = false;
  for (const char c : without_comments(source, language)) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (c == '\n') {
      line_start = true;
      gap = !python;
      if (python && !text.empty()) {
        while (!text.empty() && text.back() == ' ') text.pop_back();
        if (!text.empty() && text.back() != '\n') text += '\n';
      }
    } else if (space) {
      python&& line_start ? text += c : (gap = true, text);
    } else {
      // A gap matters only between two words: `a+b` and `a + b` are the same text.
      if (gap && !text.empty() && is_word(text.back()) && is_word(c)) text += ' ';
      text += c;
      line_start = gap = false;
    }
  }
  return text;
}

}  // namespace ridgeline::code_quality
