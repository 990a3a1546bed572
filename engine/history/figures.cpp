#include "engine/history/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridgeline::history {

std::string as_time(double seconds) {
  struct Unit {
    double least;
    const char* name;
  };
  constexpr std::array<Unit, 3> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}}};
  for (const auto& unit : units)
    if (seconds >= unit.least) return fmt::format("{:.3g} {}", seconds / unit.least, unit.name);
  return fmt::format("{:.3g} ns", seconds / 1e-9);
}

std::string as_count(double value) {
  constexpr std::array<const char*, 5> prefixes{"", "k", "M", "G", "T"};
  std::size_t step = 0;
  while (value >= 1000 && step + 1 < prefixes.size()) {
    value /= 1000;
    ++step;
  }
  return fmt::format("{:.3g} {}", value, prefixes[step]);
}

std::string as_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    // The spaces after the last column are removed again.
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string indented(const std::string& text, const std::string& indent) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    out += indent + text.substr(at, end - at) + '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace ridgeline::history
