#include "engine/worker/languages/torch_answer/answer_words.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace ridgeline::torch_answer {
namespace {

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

/// Returns the word with which the text begins, and removes it.
std::string_view take_word(std::string_view& text) {
  const auto part = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  const auto end = std::ranges::find_if_not(text, part);
  const auto word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

/// Whether it is "from triton…" or "import …, triton".
bool statement_imports_triton(std::string_view statement) {
  statement = without_blanks(statement);
  const auto first = take_word(statement);
  const auto rest = without_blanks(statement);
  if ((first != "from" && first != "import") || rest.size() == statement.size()) return false;
  auto named = rest.substr(0, rest.find('#'));
  if (first == "from") return take_word(named) == "triton";
  while (!named.empty())
    if (const auto word = take_word(named); word == "triton")
      return true;
    else if (word.empty())
      named.remove_prefix(1);
  return false;
}

}  // namespace

/// Read by hand: a regular expression takes the stack for each character that it repeats, and a source with
/// 60'000 blanks in a row ended the whole worker.
bool imports_triton(const std::string& source) {
  for (std::size_t at = 0; at <= source.size();) {
    const auto end = std::min(source.find_first_of("\n;", at), source.size());
    if (statement_imports_triton(std::string_view(source).substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

bool speaks_of_extensions(const std::string& source) {
  return source.find("cpp_extension") != std::string::npos || source.find("load_inline") != std::string::npos;
}

}  // namespace ridgeline::torch_answer
