#include "prompts/roofline_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/core/statistics.hpp"
#include "prompts/resources_digest.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

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

std::vector<const Roofline*> visible_ones(const Verdict& verdict, const Task& task) {
  std::vector<const Roofline*> found;
  for (const auto& one : verdict.rooflines)
    if (is_visible(task, one.case_name)) found.push_back(&one);
  std::stable_sort(found.begin(), found.end(), [](const Roofline* a, const Roofline* b) {
    return a->headroom_seconds > b->headroom_seconds;
  });
  return found;
}

std::string figures(const Roofline& one) {
  return fmt::format(
      "  {} ({}) and {} operations ({}) in {}: {} of the memory bandwidth, {} of the peak; the roof is {}.",
      bytes_text(one.bytes), in_words(one.bytes_source), count_text(one.operations),
      in_words(one.operations_source), time_text(one.seconds), percent_text(one.bandwidth_share),
      percent_text(one.compute_share), time_text(one.roof_seconds));
}

std::string counters(const Roofline& one) {
  std::string text;
  for (const auto& counter : one.counters)
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", counter.name, count_text(counter.value),
                        to_string(counter.source));
  return text;
}

}  // namespace

std::string roofline_digest(const Verdict& verdict, const Task& task, int tokens) {
  Excerpt excerpt;
  int importance = 100;
  for (const auto* one : visible_ones(verdict, task)) {
    excerpt.add(fmt::format("- {}: {}", case_text(task, one->case_name), clean(one->diagnosis)), importance);
    excerpt.add(figures(*one), importance - 1);
    if (const auto all = counters(*one); !all.empty())
      excerpt.add("  Counters: " + all + ".", importance - 3);
    importance = std::max(importance - 10, 10);
  }
  const auto& profile = verdict.at(Stage::profile);
  if (!excerpt.empty() && profile.status == Status::unavailable && profile.reason == Reason::counters_refused)
    excerpt.add("Hardware counters cannot be read on this machine.", 5);
  int resource = 60;  // below the first two cases, above their counters
  for (const auto& line : resources_lines(verdict.resources)) {
    excerpt.add("- " + line + ".", resource);
    resource = std::max(resource - 1, 2);
  }
  return excerpt.within(tokens);
}

double efficiency_of(const Verdict& verdict, const Task& task) {
  std::vector<double> values;
  for (const auto* one : visible_ones(verdict, task)) values.push_back(one->efficiency);
  return median(std::move(values));
}

}  // namespace ridgeline::prompts
