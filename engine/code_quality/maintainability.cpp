#include "engine/code_quality/maintainability.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <set>
#include <sstream>
#include <string_view>

#include "engine/code_quality/source_text.hpp"

namespace ridgeline::code_quality {
namespace {

constexpr std::array branches{std::string_view("if"),    std::string_view("for"), std::string_view("while"),
                              std::string_view("case"),  std::string_view("?"),   std::string_view("&&"),
                              std::string_view("catch"), std::string_view("||")};
constexpr std::array keywords{
    std::string_view("if"),     std::string_view("else"),   std::string_view("for"),
    std::string_view("while"),  std::string_view("do"),     std::string_view("switch"),
    std::string_view("case"),   std::string_view("return"), std::string_view("break"),
    std::string_view("sizeof"), std::string_view("catch"),  std::string_view("continue")};
constexpr std::array pairs{
    std::string_view("&&"), std::string_view("||"), std::string_view("=="), std::string_view("!="),
    std::string_view("<="), std::string_view(">="), std::string_view("+="), std::string_view("-="),
    std::string_view("*="), std::string_view("/="), std::string_view("++"), std::string_view("--"),
    std::string_view("<<"), std::string_view(">>"), std::string_view("->"), std::string_view("::")};

template <std::size_t N>
bool is_one_of(std::string_view token, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), token) != list.end();
}

/// Halstead's counts.
struct TokenCounts {
  std::set<std::string, std::less<>> operators, operands;
  int total_operators = 0, total_operands = 0, branches = 0;
};

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// The first token of a text that does not begin with white space.
std::string_view next_token(std::string_view text) {
  const char first = text.front();
  if (std::isalnum(static_cast<unsigned char>(first)) != 0 || first == '_') {
    const auto end = std::find_if_not(text.begin(), text.end(), in_word);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
  }
  if (first == '"' || first == '\'') {
    std::size_t i = 1;
    while (i < text.size() && text[i] != first) i += text[i] == '\\' ? 2 : 1;
    return text.substr(0, std::min(i + 1, text.size()));
  }
  if (text.size() > 1 && is_one_of(text.substr(0, 2), pairs)) return text.substr(0, 2);
  return text.substr(0, 1);
}

TokenCounts count_tokens(std::string_view text) {
  TokenCounts counts;
  while (!text.empty()) {
    if (std::isspace(static_cast<unsigned char>(text.front())) != 0) {
      text.remove_prefix(1);
      continue;
    }
    const auto token = next_token(text);
    text.remove_prefix(token.size());
    counts.branches += is_one_of(token, branches);
    const bool operand = (in_word(token.front()) || token.front() == '"' || token.front() == '\'') &&
                         !is_one_of(token, keywords);
    (operand ? counts.operands : counts.operators).emplace(token);
    ++(operand ? counts.total_operands : counts.total_operators);
  }
  return counts;
}

int filled_lines(const std::string& text) {
  std::istringstream in(text);
  int count = 0;
  for (std::string line; std::getline(in, line);)
    count += line.find_first_not_of(" \t\r") != std::string::npos;
  return count;
}

}  // namespace

std::optional<Maintainability> maintainability(const std::string& source, Language language) {
  if (traits(language).syntax != Syntax::c) return std::nullopt;
  const auto code = without_comments(source, language);
  const auto counts = count_tokens(code);
  const double vocabulary = static_cast<double>(counts.operators.size() + counts.operands.size());
  const double length = counts.total_operators + counts.total_operands;
  const double volume = std::max(1.0, length * std::log2(std::max(2.0, vocabulary)));
  const double lines = std::max(1, filled_lines(code));
  const double all_lines = std::max(1, filled_lines(source));
  // radon takes the percentage of comment lines as degrees and converts it to radians.
  const double comments =
      std::clamp((all_lines - lines) / all_lines, 0.0, 1.0) * 100 * std::numbers::pi / 180;

  Maintainability result;
  result.complexity = 1 + counts.branches;
  const double raw = 171 - 5.2 * std::log(volume) - 0.23 * result.complexity - 16.2 * std::log(lines) +
                     50 * std::sin(std::sqrt(2.4 * comments));
  result.index = std::clamp(raw * 100 / 171, 0.0, 100.0);
  return result;
}

}  // namespace ridgeline::code_quality
