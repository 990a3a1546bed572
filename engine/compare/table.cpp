#include "engine/compare/table.hpp"

#include "engine/compare/grid.hpp"

namespace ridgeline::compare {
namespace {

std::string grid_text(const Grid& grid, const Terminal& terminal) {
  auto rows = grid.rows;
  rows.insert(rows.begin(), grid.header);
  return "\n" + terminal.bold(grid.title) + "\n" +
         text_table(rows, Alignment::first_left_only, terminal, "  ");
}

}  // namespace

std::string terminal_table(const Comparison& comparison, const Terminal& terminal) {
  const auto line = [&](const std::string& text) { return wrapped(text, terminal.columns, "  ") + "\n"; };
  const auto& conclusion = comparison.conclusion;
  const auto sentence = wrapped(as_line(conclusion.sentence) + ".", terminal.columns);
  auto out = (conclusion.shown.empty() ? terminal.bold(sentence) : terminal.good(sentence)) + "\n";
  out += line("Equal budget: " + describe_budget(comparison) + ".");
  out += line(as_line(describe(comparison.noise_floors)) + ".");
  for (const auto& grid : grids(comparison)) out += grid_text(grid, terminal);
  if (!comparison.notes.empty()) out += "\n";
  for (const auto& note : comparison.notes) out += line("Note: " + note + ".");
  return out;
}

std::string across_devices_table(const Comparison& comparison, const Terminal& terminal) {
  if (comparison.across_devices) return grid_text(across_devices_grid(*comparison.across_devices), terminal);
  return "\n" +
         wrapped(
             "No kernel was timed on two devices: run a campaign's recording (ridgeline record) on "
             "another machine, and compare both stores.",
             terminal.columns, "  ") +
         "\n";
}

}  // namespace ridgeline::compare
