#include "benchmark_tasks/argument_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridgeline::benchmark_tasks {

bool is_identifier(const std::string& text) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(), is_word);
}

bool is_reserved(const std::string& text) {
  // The languages' keywords, and `stream` and `workspace`, which the trampoline's signature has.
  constexpr std::array reserved{
      "and",      "auto",    "bool",   "break",    "case",   "catch",     "char",   "class", "const",
      "def",      "default", "delete", "do",       "double", "else",      "enum",   "float", "for",
      "from",     "goto",    "if",     "import",   "in",     "inline",    "int",    "is",    "lambda",
      "long",     "new",     "not",    "operator", "or",     "pass",      "return", "short", "signed",
      "sizeof",   "static",  "stream", "struct",   "switch", "this",      "throw",  "try",   "union",
      "unsigned", "using",   "void",   "while",    "with",   "workspace", "xor"};
  return std::find(reserved.begin(), reserved.end(), text) != reserved.end();
}

std::string usable_name(std::string text) {
  for (auto& letter : text)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  // A leading underscore before a small letter or digit is free in function scope.
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front()))) text.insert(0, 1, '_');
  return is_reserved(text) ? text + "_" : text;
}

}  // namespace ridgeline::benchmark_tasks
