#include "engine/compare/table.hpp"

#include <algorithm>

#include "engine/compare/grid.hpp"

namespace ridgeline::compare {
namespace {

/// Counts the code points of UTF-8, as its bytes that continue none. Cells hold no wide or combining
/// characters of ours.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t to, bool left) {
  const std::string space(to - width(text), ' ');
  return left ? text + space : space + text;
}

void append_line(std::string& out, const std::vector<std::string>& cells,
                 const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += "  " + padded(cells[i], widths[i], i == 0);
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

void append_grid(std::string& out, const Grid& grid) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < grid.header.size(); ++i) {
    widths.push_back(width(grid.header[i]));
    for (const auto& row : grid.rows) widths[i] = std::max(widths[i], width(row[i]));
  }
  out += "\n" + grid.title + "\n";
  append_line(out, grid.header, widths);
  for (const auto& row : grid.rows) append_line(out, row, widths);
}

}  // namespace

std::string terminal_table(const Comparison& comparison) {
  std::string out = as_line(comparison.conclusion.sentence) + ".\n";
  out += "Equal budget: " + describe_budget(comparison) + ".\n";
  out += as_line(describe(comparison.noise_floors)) + ".\n";
  for (const auto& grid : grids(comparison)) append_grid(out, grid);
  if (!comparison.notes.empty()) out += "\n";
  for (const auto& note : comparison.notes) out += "Note: " + note + ".\n";
  return out;
}

}  // namespace ridgeline::compare
