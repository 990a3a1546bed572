#include "engine/export/canonical.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/code_quality/source_text.hpp"

namespace ridgeline::exporting {
namespace {

using Words = std::vector<std::string_view>;
using Names = std::unordered_set<std::string_view>;

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool continues_name(char c) {
  return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_name(std::string_view word) {
  return !word.empty() && begins_name(word.front());
}

std::size_t length_of_literal(std::string_view text) {
  if (const std::string three(3, text.front()); text.starts_with(three)) {  // Python's
    const auto end = text.find(three, 3);
    return end == text.npos ? text.size() : end + 3;
  }
  std::size_t i = 1;
  while (i < text.size() && text[i] != text.front()) i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

/// Names, numbers, literals, single signs, and runs of white space (Python's line starts) as they are.
Words words_of(std::string_view text) {
  Words words;
  const auto run = [&](auto belongs) {
    std::size_t end = 1;
    while (end < text.size() && belongs(text[end])) ++end;
    return end;
  };
  while (!text.empty()) {
    const char first = text.front();
    std::size_t length = 1;
    if (begins_name(first))
      length = run(continues_name);
    else if (std::isdigit(static_cast<unsigned char>(first)) != 0)
      length = run([](char c) { return continues_name(c) || c == '.' || c == '\''; });
    else if (first == '"' || first == '\'')
      length = length_of_literal(text);
    else if (std::isspace(static_cast<unsigned char>(first)) != 0)
      length = run([](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

/// Without white space inside lines; a line start stays, since Python's indentation has meaning.
Words without_gaps(const Words& words) {
  Words kept;
  for (const auto word : words)
    if (std::isspace(static_cast<unsigned char>(word.front())) == 0 || word.find('\n') != word.npos)
      kept.push_back(word);
  return kept;
}

/// Words before a name that do not make it a declaration.
constexpr std::array no_types{"return",   "goto",      "case",     "else",   "do",    "new",
                              "delete",   "throw",     "using",    "define", "ifdef", "ifndef",
                              "undef",    "sizeof",    "struct",   "class",  "enum",  "union",
                              "typename", "namespace", "operator", "if",     "elif",  "endif"};
constexpr std::array plain_types{"void",   "char",         "bool",   "short",       "int",          "long",
                                 "float",  "double",       "signed", "auto",        "unsigned",     "half",
                                 "__half", "__restrict__", "const",  "nv_bfloat16", "__nv_bfloat16"};

template <std::size_t N>
bool is_in(std::string_view word, const std::array<const char*, N>& list) {
  return std::ranges::any_of(list, [&](const char* one) { return word == one; });
}

bool is_plain_type(std::string_view word) {
  return is_in(word, plain_types) || word.ends_with("_t");
}

/// `float x =`, `Vec4 v;`, `const half* p,`, `template <int N>`.
Names declared_in_c(const Words& words) {
  Names names;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (!is_name(words[i]) || is_plain_type(words[i]) || is_in(words[i], no_types)) continue;
    const auto before = words[i - 1], after = words[i + 1];
    if (after.size() != 1) continue;
    const bool ends = std::string_view("=;,)[:").find(after) != std::string_view::npos;
    if (is_name(before) ? !is_in(before, no_types) && (ends || (after == ">" && is_plain_type(before)))
                        : ends && i > 1 && (before == "*" || before == "&") && is_plain_type(words[i - 2]))
      names.insert(words[i]);
  }
  return names;
}

/// The parameters of the list that opens at `open`: names after "(", "," or "*" that are in no inner list.
void add_parameters(const Words& words, std::size_t open, Names& names) {
  int depth = 0;
  for (std::size_t i = open; i < words.size(); ++i) {
    if (words[i] == "(" || words[i] == "[") ++depth;
    if ((words[i] == ")" || words[i] == "]") && --depth == 0) return;
    const auto before = i > open ? words[i - 1] : "";
    if (depth == 1 && is_name(words[i]) &&
        (before == "(" || before == "," || before == "*" || before.front() == '\n'))
      names.insert(words[i]);
  }
}

/// The names of `a, b = …` that begins at `begin`; none if it is another statement.
void add_targets(const Words& words, std::size_t begin, std::string_view end, Names& names) {
  Words targets;
  for (std::size_t i = begin; i < words.size(); ++i) {
    if (is_name(words[i]) && words[i] != end) {
      targets.push_back(words[i]);
    } else if (words[i] == end && (end != "=" || i + 1 == words.size() || words[i + 1] != "=")) {
      names.insert(targets.begin(), targets.end());
      return;
    } else if (words[i] != "," && words[i] != "(" && words[i] != ")") {
      return;
    }
  }
}

Names declared_in_python(const Words& words) {
  Names names;
  int depth = 0;  // of brackets: a line that begins in one holds `name = value` as an argument
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (depth == 0 && (i == 0 || words[i - 1].front() == '\n' || words[i - 1] == ";"))
      add_targets(words, i, "=", names);
    if (words[i] == "(" || words[i] == "[" || words[i] == "{") ++depth;
    if (words[i] == ")" || words[i] == "]" || words[i] == "}") --depth;
    if (words[i] == "for") add_targets(words, i + 1, "in", names);
    if (words[i] == "as" && is_name(words[i + 1]) && i + 2 < words.size() && words[i + 2] == ":")
      names.insert(words[i + 1]);
    if (words[i] == "def" && i + 2 < words.size() && words[i + 2] == "(") add_parameters(words, i + 2, names);
  }
  return names;
}

/// Whether word `i` names an argument of a call: `f(dim=1)`, also at the begin of a line. `depth` counts the
/// brackets around it. Parameters with a default look alike; they are variables, and `parameters` is true
/// there.
bool is_keyword_argument(const Words& words, std::size_t i, int depth, bool parameters) {
  if (depth == 0 || parameters || i == 0 || i + 2 >= words.size()) return false;
  const auto before = words[i - 1];
  return words[i + 1] == "=" && words[i + 2] != "=" &&
         (before == "(" || before == "," || before.front() == '\n');
}

}  // namespace

std::string canonical(std::string_view source, Language language) {
  const auto text = code_quality::normalised(source, language);
  const auto words = without_gaps(words_of(text));
  const auto declared = code_quality::is_python(language) ? declared_in_python(words) : declared_in_c(words);
  std::unordered_map<std::string_view, std::size_t> numbers;
  std::string result;
  const bool python = code_quality::is_python(language);
  int depth = 0, parameters_at = 0;  // the depth at which a list of parameters opened; 0: outside of one
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto word = words[i];
    const auto before = i > 0 ? words[i - 1] : "";
    if (word == "(" || word == "[" || word == "{") {
      ++depth;
      if (i > 1 && words[i - 2] == "def" && parameters_at == 0) parameters_at = depth;
    }
    if (word == ")" || word == "]" || word == "}") {
      if (depth == parameters_at) parameters_at = 0;
      --depth;
    }
    // An attribute is not the variable of its name: `p.x`, `p->x`, `std::x`.
    const bool attribute =
        before == "." ||
        (i > 1 && ((before == ">" && words[i - 2] == "-") || (before == ":" && words[i - 2] == ":")));
    const bool keyword = python && is_keyword_argument(words, i, depth, parameters_at == depth);
    if (!attribute && !keyword && declared.contains(word))
      result += "$" + std::to_string(numbers.try_emplace(word, numbers.size()).first->second);
    else
      result += word;
    result += ' ';
  }
  return result;
}

}  // namespace ridgeline::exporting
