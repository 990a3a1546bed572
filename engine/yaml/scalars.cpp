#include "engine/yaml/scalars.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace ridgeline::yaml {
namespace {

constexpr std::size_t longest_quote = 40;

bool is_plain(const Tree& tree) {
  return tree.kind == Tree::Kind::scalar && !tree.quoted;
}

// Reads the whole text as a number of C++'s plain form; a leading + is allowed, as in YAML.
template <class T>
std::optional<T> parse_number(const std::string& text) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  T value{};
  const auto [stopped, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

bool looks_like_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string::npos &&
         text.find_first_of("0123456789") != std::string::npos;
}

}  // namespace

std::optional<bool> as_bool(const Tree& tree) {
  if (!is_plain(tree)) return std::nullopt;
  if (tree.scalar == "true") return true;
  if (tree.scalar == "false") return false;
  return std::nullopt;
}

std::optional<std::int64_t> as_int64(const Tree& tree) {
  return is_plain(tree) ? parse_number<std::int64_t>(tree.scalar) : std::nullopt;
}

std::optional<double> as_double(const Tree& tree) {
  if (!is_plain(tree)) return std::nullopt;
  if (tree.scalar == ".inf" || tree.scalar == "+.inf") return std::numeric_limits<double>::infinity();
  if (tree.scalar == "-.inf") return -std::numeric_limits<double>::infinity();
  if (tree.scalar == ".nan") return std::numeric_limits<double>::quiet_NaN();
  if (!looks_like_number(tree.scalar)) return std::nullopt;  // from_chars would take "inf" and "nan"
  return parse_number<double>(tree.scalar);
}

std::optional<std::string> as_text(const Tree& tree) {
  return tree.kind == Tree::Kind::scalar ? std::optional(tree.scalar) : std::nullopt;
}

std::string described(const Tree& tree) {
  switch (tree.kind) {
    case Tree::Kind::null:
      return "nothing";
    case Tree::Kind::list:
      return "a list";
    case Tree::Kind::map:
      return "a map";
    case Tree::Kind::scalar:
      break;
  }
  if (as_double(tree)) return fmt::format("the number {}", tree.scalar);
  auto text = tree.scalar.substr(0, tree.scalar.find('\n'));
  if (text.size() > longest_quote) text.resize(longest_quote);
  if (text.size() < tree.scalar.size()) text += "…";
  return fmt::format("the text '{}'{}", text, tree.quoted ? " (in quotes)" : "");
}

}  // namespace ridgeline::yaml
