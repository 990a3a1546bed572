#include "engine/submissions/own_figures.hpp"

#include <fmt/format.h>

#include <map>

#include "engine/core/json_fields.hpp"
#include "engine/core/statistics.hpp"

namespace ridgeline::submissions {
namespace {

using nlohmann::json;

json share(int passed, int of) {
  const auto interval = wilson_interval(passed, of);
  return {{"passed", passed},
          {"of", of},
          {"share", of > 0 ? static_cast<double>(passed) / of : 0.0},
          {"interval", {interval.low, interval.high}}};
}

/// Counts of one category, or of all.
struct Tally {
  int tasks = 0, submitted = 0, call = 0, execution = 0, performance = 0;

  void add(const Scored& one) {
    ++submitted;
    call += one.correctness.call == StageEnd::passed;
    execution += one.correctness.execution == StageEnd::passed;
    performance += passes_performance(one);
  }
  json document(bool timed) const {
    json document{{"submitted", submitted},
                  {"call", share(call, tasks)},
                  {"execution", share(execution, tasks)},
                  {"execution_of_callable", share(execution, call)}};
    if (timed) document["performance"] = share(performance, tasks);
    return document;
  }
};

json speedups(const std::vector<Scored>& all) {
  std::vector<double> values, matched;
  int slower = 0;
  for (const auto& one : all) {
    if (!passes_performance(one)) continue;
    values.push_back(one.efficiency->speedup);
    slower += one.efficiency->speedup <= 1;
    if (one.efficiency->matched_speedup) matched.push_back(*one.efficiency->matched_speedup);
  }
  return {{"tasks", values.size()},
          {"geometric_mean", geometric_mean(values)},
          {"geometric_mean_of_matched_sizes", geometric_mean(matched)},
          {"not_faster", share(slower, static_cast<int>(values.size()))}};
}

json files_where(const std::vector<Scored>& all, bool (*wanted)(const Scored&)) {
  auto files = json::array();
  for (const auto& one : all)
    if (wanted(one)) files.push_back(one.submission.file);
  return files;
}

json left_out(const std::vector<Scored>& all) {
  auto list = json::array();
  for (const auto& one : all)
    if (one.efficiency)
      if (const auto why = left_out_because(*one.efficiency); !why.empty())
        list.push_back({{"file", one.submission.file}, {"why", why}});
  return list;
}

constexpr const char* kTriedOnCpu =
    "tried on a CPU, where 'cuda' is the CPU and Triton is interpreted: no figure here is KernelBench-X's";

}  // namespace

std::string left_out_because(const Efficiency& efficiency) {
  if (!efficiency.ok) return "";
  if (efficiency.abnormal)
    return fmt::format(
        "{} ms, {}x: KernelBench-X's script 2_efficiency leaves runs over 10 s or below 0.01x out of its "
        "mean",
        efficiency.runtime_ms, efficiency.speedup);
  if (efficiency.sizes < efficiency.golden_sizes)
    return fmt::format("{} of {} sizes were timed: the others stay in the numerator and raise the speed-up",
                       efficiency.sizes, efficiency.golden_sizes);
  return "";
}

json own_entry(const Scored& one, const Circumstances& where) {
  json said{{"device", where.on_cpu ? kTriedOnCpu : where.card},
            {"call", one.correctness.call},
            {"execution", one.correctness.execution},
            {"in_one_process", one.correctness.in_one_process},
            {"isolation_changed", one.correctness.isolation_changed()},
            {"execution_error", one.correctness.execution_error},
            {"quantization", one.correctness.quantization},
            {"performance", one.performance ? one.performance->end : StageEnd::not_run},
            {"notes", one.correctness.notes},
            {"line", one.submission.line},
            {"seconds", one.correctness.seconds + (one.performance ? one.performance->seconds : 0)}};
  if (one.efficiency) {
    said["sizes"] = one.efficiency->sizes;
    said["golden_sizes"] = one.efficiency->golden_sizes;
    said["matched_speedup"] = one.efficiency->matched_speedup;
    said["left_out"] = left_out_because(*one.efficiency);
  }
  return said;
}

json own_summary(const std::vector<Scored>& all, const Circumstances& where) {
  Tally whole;
  std::map<std::string, Tally> by_category;
  for (const auto& category : where.categories) {
    ++whole.tasks;
    ++by_category[category].tasks;
  }
  for (const auto& one : all) {
    // Outside the metadata: KernelBench-X's scripts can never pass it.
    if (!one.submission.task->meta) continue;
    whole.add(one);
    by_category[one.submission.task->category].add(one);
  }
  auto summary = whole.document(where.timed);
  summary["tasks"] = whole.tasks;
  auto& categories = summary["categories"] = json::object();
  for (const auto& [name, tally] : by_category) categories[name] = tally.document(where.timed);
  if (where.timed) {
    summary["speedup"] = speedups(all);
    summary["left_out"] = left_out(all);
  }
  summary["isolation_changed"] =
      files_where(all, [](const Scored& one) { return one.correctness.isolation_changed(); });
  summary["timed_out"] = files_where(all, [](const Scored& one) {
    return one.correctness.call == StageEnd::timed_out || one.correctness.execution == StageEnd::timed_out;
  });
  summary["outside_metadata"] =
      files_where(all, [](const Scored& one) { return !one.submission.task->meta; });
  summary["device"] = where.on_cpu ? kTriedOnCpu : where.card;
  summary["golden"] = where.golden;
  summary["python"] = where.python;
  summary["torch"] = where.torch;
  summary["triton"] = where.triton;
  summary["radon"] = where.radon.empty() ? "not installed: no maintainability, no complexity" : where.radon;
  summary["isolation"] = where.isolation;
  return summary;
}

}  // namespace ridgeline::submissions
