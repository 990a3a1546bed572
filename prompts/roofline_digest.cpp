#include "prompts/roofline_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/core/statistics.hpp"
#include "prompts/counters_digest.hpp"
#include "prompts/reasons.hpp"
#include "prompts/resources_digest.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

constexpr std::size_t kMostReason = 200;  // bytes

std::string_view in_words(Source source) {
  switch (source) {
    case Source::analytic:
      return "counted from the task's definition";
    case Source::perf:
      return "by perf counters";
    case Source::cupti:
      return "by CUPTI";
    case Source::measured:
      return "measured";
  }
  return "";
}

std::vector<const Roofline*> visible_rooflines(const Verdict& verdict, const Task& task) {
  std::vector<const Roofline*> visible;
  for (const auto& roofline : verdict.rooflines)
    if (is_visible(task, roofline.case_name)) visible.push_back(&roofline);
  std::stable_sort(visible.begin(), visible.end(), [](const Roofline* a, const Roofline* b) {
    return a->headroom_seconds > b->headroom_seconds;
  });
  return visible;
}

std::string figures(const Roofline& roofline) {
  return fmt::format(
      "  {} ({}) and {} operations ({}) in {}: {} of the memory bandwidth, {} of the peak; the least time is "
      "{}.",
      bytes_text(roofline.bytes), in_words(roofline.bytes_source), count_text(roofline.operations),
      in_words(roofline.operations_source), time_text(roofline.seconds),
      percent_text(roofline.bandwidth_share), percent_text(roofline.compute_share),
      time_text(roofline.roof_seconds));
}

std::string counters(const Roofline& roofline) {
  std::string text;
  for (const auto& counter : roofline.counters)
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", counter.name, count_text(counter.value),
                        to_string(counter.source));
  return text;
}

/// Leaves out how a person would repair the machine, which no model can do. Verdicts that were stored before
/// 0.2 say "mend:" where later ones say "fix:".
std::string why_uncounted(const StageResult& profile, const Task& task) {
  auto reason = safe_detail(profile, task);
  // The figures say with each number that it was counted from the definition.
  constexpr std::string_view known = "analytic counts over the cold time stand in; ";
  if (reason.starts_with(known)) reason.erase(0, known.size());
  for (const auto* repair : {"; fix:", "; mend:"}) reason = reason.substr(0, reason.find(repair));
  reason = cut(reason, kMostReason);
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason.empty() ? "No hardware counters were read." : "No hardware counters: " + reason + ".";
}

}  // namespace

std::string roofline_digest(const Verdict& verdict, const Task& task, int tokens) {
  Excerpt excerpt;
  // A case's sentence is worth more than its figures, those more than its counters, and a case with more time
  // to gain more than the next.
  int importance = 100;
  bool uncounted = false;
  for (const auto* roofline : visible_rooflines(verdict, task)) {
    excerpt.add(fmt::format("- {}: {}", case_text(task, roofline->case_name), clean(roofline->diagnosis)),
                importance);
    excerpt.add(figures(*roofline), importance - 1);
    if (const auto lines = counter_lines(*roofline, verdict.launches); !lines.empty())
      for (const auto& line : lines) excerpt.add("  " + line.text, importance - 2 - line.rank);
    else if (const auto all = counters(*roofline); !all.empty())
      excerpt.add("  Counters: " + all + ".", importance - 3);
    uncounted = uncounted || roofline->counters.empty();
    importance = std::max(importance - 10, 10);
  }
  if (uncounted) excerpt.add(why_uncounted(verdict.at(Stage::profile), task), 59);
  int resource = 60;  // below what was counted of the first cases
  for (const auto& line : resources_lines(verdict.resources)) {
    excerpt.add("- " + line + ".", resource);
    resource = std::max(resource - 1, 2);
  }
  return excerpt.within(tokens);
}

double efficiency_of(const Verdict& verdict, const Task& task) {
  std::vector<double> values;
  for (const auto* roofline : visible_rooflines(verdict, task)) values.push_back(roofline->efficiency);
  return median(std::move(values));
}

}  // namespace ridgeline::prompts
