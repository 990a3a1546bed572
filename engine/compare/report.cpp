#include "engine/compare/report.hpp"

#include "engine/compare/grid.hpp"
#include "engine/compare/plots.hpp"
#include "engine/compare/suite_grids.hpp"
#include "engine/compare/svg.hpp"

namespace ridgeline::compare {
namespace {

// Dark colours on a screen that prefers them, never in print. Series keep their colours; only black turns to
// white.
constexpr const char* style = R"(
:root{color-scheme:light;--ink:#1a1a1a;--paper:#fff;--quiet:#555;--rule:#ddd;--strong:#888;--grid:#e4e4e4;--axis:#444}
@media screen and (prefers-color-scheme:dark){
:root{color-scheme:dark;--ink:#e4e6e8;--paper:#14171b;--quiet:#a2a9b1;--rule:#2d333b;--strong:#69717b;--grid:#262b32;--axis:#a2a9b1}
[stroke="#000000"]{stroke:#eee}[fill="#000000"]{fill:#eee}[stroke="#555555"]{stroke:#999}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin:2rem 0 .3rem}
p{margin:.3rem 0}.conclusion{font-size:1.15rem;font-weight:600}.quiet{color:var(--quiet)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.86rem;margin:.5rem 0}
th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
th:first-child,td:first-child{text-align:left}th{border-bottom:2px solid var(--strong);font-weight:600}
svg{width:100%;max-width:46rem;height:auto;display:block;margin:.6rem 0}
svg text{font:12px system-ui,sans-serif;fill:var(--ink)}
.grid{stroke:var(--grid)}.axis{fill:none;stroke:var(--axis)}
svg,rect{-webkit-print-color-adjust:exact;print-color-adjust:exact}
@media print{body{margin:0;max-width:none;font-size:10pt}section{break-inside:avoid}.scroll{overflow:visible}
table{font-size:7.5pt}th,td{padding:.15rem .35rem;white-space:normal}thead{display:table-header-group}}
)";

std::string table_of(const Grid& grid) {
  std::string out = "<div class=\"scroll\"><table><thead><tr>";
  for (const auto& cell : grid.header) out += "<th scope=\"col\">" + escaped(cell) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const auto& row : grid.rows) {
    out += "<tr>";
    for (const auto& cell : row) out += "<td>" + escaped(cell) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string section(const std::string& title, const std::string& explanation, const std::string& content) {
  std::string out = "<section><h2>" + escaped(title) + "</h2>\n";
  if (!explanation.empty()) out += "<p class=\"quiet\">" + escaped(explanation) + "</p>\n";
  return out + content + "</section>\n";
}

std::string section(const Grid& grid) {
  return section(grid.title, grid.explanation, table_of(grid));
}

std::string head(const Comparison& comparison) {
  std::string out = "<p class=\"conclusion\">" + escaped(as_line(comparison.conclusion.sentence)) + ".</p>\n";
  out += "<p>" + escaped(describe_budget(comparison)) + ".</p>\n";
  out += "<p class=\"quiet\">" + escaped(as_line(describe(comparison.noise_floors))) + ".</p>\n";
  std::string campaigns;
  for (const auto& name : comparison.campaigns) campaigns += (campaigns.empty() ? "" : ", ") + name;
  if (!campaigns.empty()) out += "<p class=\"quiet\">Campaigns: " + escaped(campaigns) + "</p>\n";
  if (comparison.notes.empty()) return out;
  out += "<ul>\n";
  for (const auto& note : comparison.notes) out += "<li>" + escaped(note) + "</li>\n";
  return out + "</ul>\n";
}

std::string roofline_sections(const Comparison& comparison) {
  std::string out;
  for (const auto& [device, plot] : roofline_plots(comparison))
    out += section(
        "Roofline of " + device,
        "Each dot is a timed case of a scored, correct kernel; lines are this device's measured roofs.",
        plot);
  return out;
}

}  // namespace

std::string_view report_style() {
  return style;
}

std::string report_sections(const Comparison& comparison) {
  auto out = head(comparison) + section(strategies_grid(comparison));
  if (!comparison.contrasts.empty()) out += section(contrasts_grid(comparison));
  if (!comparison.differences.empty()) out += section(differences_grid(comparison));
  const auto fast = fast_grid(comparison);
  out += section(fast.title, fast.explanation, fast_plot(comparison) + table_of(fast));
  for (const auto& suite : comparison.suites)
    for (const auto& grid : suite_grids(suite)) out += section(grid);
  out += section("Speed-up against budget",
                 "Geometric mean over all trajectories; one without a faster kernel keeps eager LibTorch and "
                 "counts 1.",
                 budget_plot(comparison));
  out += section("Correctness by category", "Share of trajectories with a correct kernel.",
                 category_plot(comparison) + table_of(categories_grid(comparison)));
  return out + roofline_sections(comparison) + section(repair_grid(comparison)) +
         section(rounds_grid(comparison)) + section(tasks_grid(comparison));
}

std::string html_report(const Comparison& comparison) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<title>Ridgeline: strategies at equal budget</title>\n<style>";
  out += style;
  out += "</style></head><body>\n<h1>Strategies at equal budget</h1>\n";
  return out + report_sections(comparison) + "</body></html>\n";
}

}  // namespace ridgeline::compare
