#include "engine/report/verdict_html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/history/figures.hpp"
#include "engine/history/history_text.hpp"
#include "engine/history/verdict_line.hpp"
#include "engine/report/html.hpp"

namespace ridgeline::report {
namespace {

using history::as_count;
using history::as_time;

constexpr std::size_t most_log_bytes = 4000;  // of a compiler's output; `ridgeline show --json` has all

/// A tick a raw sample, the candidate's above the baseline's, on one scale from 0.
std::string strip_of(const CaseTiming& timing) {
  double most = 0;
  for (const auto* duration : {&timing.cold, &timing.baseline_cold})
    for (const double sample : duration->samples) most = std::max(most, sample);
  if (most <= 0) return "";
  constexpr double width = 240;
  std::string paths;
  const auto add = [&](const Duration& duration, int top, const char* kind) {
    std::string path;
    for (const double sample : duration.samples)
      path += fmt::format("M{:.1f} {}v9", sample / most * width, top);
    paths += fmt::format("<path d=\"{}\" class=\"tick {}\"/>", path, kind);
  };
  add(timing.cold, 1, "won");
  add(timing.baseline_cold, 13, "lost");
  return fmt::format(
      "<svg viewBox=\"-2 0 244 24\" class=\"strip\" role=\"img\" aria-label=\"raw samples of the kernel, "
      "above, and "
      "of the baseline, below\">{}</svg>",
      paths);
}

std::string samples_text(const Timing& timing) {
  std::string text;
  for (const auto& timed : timing.cases)
    for (const auto& [name, duration] :
         {std::pair{"kernel", &timed.cold}, {"baseline", &timed.baseline_cold}}) {
      text += fmt::format("{} {}, us:", timed.case_name, name);
      for (const double sample : duration->samples) text += fmt::format(" {:.5g}", sample * 1e6);
      text += '\n';
    }
  return text;
}

std::string timing_html(const Timing& timing, const std::string& id) {
  std::vector<std::vector<Markup>> rows;
  for (const auto& timed : timing.cases)
    rows.push_back(
        {{escaped(timed.case_name)},
         {as_time(timed.cold.median)},
         {as_time(timed.baseline_cold.median)},
         {fmt::format("{:.2f}× [{:.2f}, {:.2f}]", timed.speedup, timed.speedup_low, timed.speedup_high)},
         {std::to_string(timed.cold.samples.size())},
         {strip_of(timed)}});
  return table_html("times-" + id,
                    {"case", "kernel", "baseline", "speed-up [95 %]", "samples", "raw: kernel, baseline"},
                    rows) +
         "<p class=\"quiet\">Baseline: " + escaped(timing.baseline) + "</p>" +
         folded("samples-" + id, "raw samples", preformatted(samples_text(timing), "wrap"));
}

std::string rooflines_html(const std::vector<Roofline>& rooflines, const std::string& id) {
  std::vector<std::vector<Markup>> rows;
  std::string diagnoses;
  for (const auto& roofline : rooflines) {
    if (const auto own = history::kernel_time_line(roofline); !own.empty())
      diagnoses += "<p class=\"quiet\">" + escaped(roofline.case_name + ": " + own) + "</p>";
    if (!roofline.diagnosis.empty())
      diagnoses += "<p class=\"quiet\">" + escaped(roofline.case_name + ": " + roofline.diagnosis) + "</p>";
    rows.push_back(
        {{escaped(roofline.case_name)},
         {std::string(to_string(roofline.bound))},
         {fmt::format("{:.0f} %", roofline.efficiency * 100)},
         {as_time(roofline.roof_seconds)},
         {fmt::format("{}B ({})", as_count(roofline.bytes), to_string(roofline.bytes_source))},
         {fmt::format("{}op ({})", as_count(roofline.operations), to_string(roofline.operations_source))}});
  }
  return table_html("roof-" + id, {"case", "bound", "of the roof", "least time", "bytes", "operations"},
                    rows) +
         diagnoses;
}

std::string mismatches_html(const std::vector<Mismatch>& mismatches, const std::string& id) {
  std::vector<std::vector<Markup>> rows;
  for (const auto& mismatch : mismatches) {
    if (mismatch.hidden) continue;  // what no model sees need not be read in a report either
    std::string first;
    for (const auto& element : mismatch.first)
      first += fmt::format("{}{:.6g} for {:.6g}", first.empty() ? "" : "; ", element.got, element.expected);
    rows.push_back({{escaped(mismatch.case_name)},
                    {escaped(mismatch.output)},
                    {fmt::format("{} of {}", mismatch.wrong, mismatch.elements)},
                    {fmt::format("{:.3g}", mismatch.worst_absolute)},
                    {escaped(mismatch.pattern_detail)},
                    {first}});
  }
  if (rows.empty()) return "";
  return table_html("wrong-" + id, {"case", "output", "wrong", "worst", "where", "first: got for expected"},
                    rows);
}

std::string details_of(const Verdict& verdict, const std::string& id) {
  std::string out;
  if (verdict.timing) out += timing_html(*verdict.timing, id);
  if (!verdict.rooflines.empty()) out += rooflines_html(verdict.rooflines, id);
  out += mismatches_html(verdict.mismatches, id);
  if (!verdict.build_log.empty())
    out += folded("log-" + id, "the compiler's output",
                  preformatted(verdict.build_log.substr(0, most_log_bytes), "wrap"));
  std::string made;
  for (const auto& flag : verdict.build_flags) made += ' ' + flag;
  if (!verdict.compiler.empty()) out += "<p class=\"quiet\">" + escaped(verdict.compiler + made) + "</p>";
  if (!verdict.device.empty())
    out += "<p class=\"quiet\">" +
           escaped("on " + verdict.device + ", isolation " + verdict.isolation.level) + "</p>";
  return out;
}

}  // namespace

std::string verdict_html(const store::EvaluationRecord& evaluation, const std::string& id) {
  const bool judged = evaluation.status == EvaluationStatus::evaluated && evaluation.verdict.judged();
  const char* kind = !judged ? "quiet" : evaluation.verdict.correct() ? "good" : "bad";
  auto html = fmt::format("<p class=\"{}\">{}</p>", kind, escaped(history::judged_line(evaluation)));
  for (const auto& line : history::remark_lines(evaluation.verdict))
    html += fmt::format("<p class=\"quiet\">{}</p>", escaped(line));
  if (const auto details = details_of(evaluation.verdict, id); judged && !details.empty())
    html += folded("verdict-" + id, "the verdict: times, roofline, raw samples", details);
  return html;
}

}  // namespace ridgeline::report
