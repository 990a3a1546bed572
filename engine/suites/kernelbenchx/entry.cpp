#include "engine/suites/kernelbenchx/entry.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace ridgeline::suites::kernelbenchx {
namespace {

bool in_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

/// Calls `take` with each line without its end.
template <class F>
void for_each_line(std::string_view text, F take) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string_view name_at(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && in_name(text[length])) ++length;
  return text.substr(0, length);
}

/// Returns the name that a line defines at the top level: "def name(", "class name:", "name =".
std::string_view defined_name(std::string_view line) {
  for (const std::string_view keyword : {"def ", "class "})
    if (line.starts_with(keyword)) return name_at(line.substr(keyword.size()));
  const auto name = name_at(line);
  const auto behind = line.substr(name.size());
  const auto sign = behind.find_first_not_of(" \t");
  const bool assigns = sign != std::string_view::npos && behind[sign] == '=' &&
                       (sign + 1 == behind.size() || behind[sign + 1] != '=');
  return assigns ? name : std::string_view();
}

/// Whether a line calls `name` itself. "torch.name(" is torch's, and what stands behind a '#' is a comment.
bool line_calls(std::string_view line, std::string_view name) {
  line = line.substr(0, line.find('#'));
  for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const bool begins = at == 0 || (!in_name(line[at - 1]) && line[at - 1] != '.');
    const auto behind = line.find_first_not_of(" \t", at + name.size());
    const bool defines = line.substr(0, at).ends_with("def ");
    if (begins && !defines && behind != std::string_view::npos && line[behind] == '(') return true;
  }
  return false;
}

bool test_calls(std::string_view test, std::string_view name) {
  bool called = false;
  for_each_line(test, [&](std::string_view line) { called = called || line_calls(line, name); });
  return called;
}

}  // namespace

std::optional<Parts> split_at_separator(std::string_view text) {
  const std::string separator(separator_length, '#');
  const auto at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto behind = at + separator.size();
  if (text.find(separator, behind) != std::string_view::npos) return std::nullopt;
  return Parts{std::string(text.substr(0, at)), std::string(text.substr(behind))};
}

std::string entry_of(const Parts& parts, std::string_view stem) {
  std::vector<std::string_view> called;
  for_each_line(parts.reference, [&](std::string_view line) {
    const auto name = defined_name(line);
    if (!name.empty() && std::ranges::find(called, name) == called.end() && test_calls(parts.test, name))
      called.push_back(name);
  });
  if (std::ranges::find(called, stem) != called.end()) return std::string(stem);
  return called.size() == 1 ? std::string(called.front()) : "";
}

}  // namespace ridgeline::suites::kernelbenchx
