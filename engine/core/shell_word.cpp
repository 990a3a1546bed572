#include "engine/core/shell_word.hpp"

#include <algorithm>
#include <cctype>

namespace ridgeline {

std::string shell_quoted(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + '\'';
}

std::string shell_word(std::string_view word) {
  // "=" and "~" are not among them: a first word "a=b" is an assignment, and "~" is a folder.
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./:,@%+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !word.empty() && std::ranges::all_of(word, plain) ? std::string(word) : shell_quoted(word);
}

}  // namespace ridgeline
