#include "engine/submissions/metrics.hpp"

#include <fmt/format.h>

#include "engine/core/json_fields.hpp"
#include "engine/submissions/own_figures.hpp"

namespace ridgeline::submissions {
namespace {

using nlohmann::json;

/// Characters of a performance script's errors that KernelBench-X's scripts keep.
constexpr std::size_t kMostOfLog = 500;

bool right(const Scored& one) {
  return one.correctness.execution == StageEnd::passed;
}

/// KernelBench-X's scripts look at the performance stage first, then at the call's stderr, which may hold
/// mere warnings, then at the execution's, last into the log of the performance script.
std::string error_text_of(const Scored& one) {
  if (one.efficiency && !one.efficiency->error.empty()) return one.efficiency->error;
  if (!one.correctness.call_error.empty()) return one.correctness.call_error;
  if (!one.correctness.execution_error.empty()) return one.correctness.execution_error;
  if (!right(one) || !one.performance || passes_performance(one)) return "";
  if (one.performance->error.empty()) return "missing perf json (no log error found)";
  return "perf error: " + one.performance->error.substr(0, kMostOfLog);
}

json entry_of(const Scored& one, const Circumstances& where) {
  const bool timed = passes_performance(one);
  const auto figure = [&](double Efficiency::* member) {
    return timed ? json((*one.efficiency).*member) : json("N/A");
  };
  const auto index = one.correctness.quality.find("maintainability_index");
  return {{"file", one.submission.file},
          {"call_ok", one.correctness.call == StageEnd::passed},
          {"exe_ok", right(one)},
          {"perf_ok", timed},
          {"dtype", one.dtype},
          {"runtime_ms", figure(&Efficiency::runtime_ms)},
          {"gbs", figure(&Efficiency::gbs)},
          {"tflops", figure(&Efficiency::tflops)},
          {"speedup", figure(&Efficiency::speedup)},
          {"maintainability", index == one.correctness.quality.end() ? json("N/A") : *index},
          {"code_quality", one.correctness.quality},
          {"performance", timed ? *one.performance->sizes : json::array()},
          {"error", error_text_of(one)},
          {"code", one.submission.code},
          {"ridgeline", own_entry(one, where)}};
}

double percent(int part, int whole) {
  return whole == 0 ? 0 : rounded(100.0 * part / whole, 1);
}

}  // namespace

bool passes_performance(const Scored& one) {
  return right(one) && one.efficiency && one.efficiency->ok;
}

json metrics_document(const std::vector<Scored>& all, const Circumstances& where) {
  auto document = json::object();
  for (const auto& one : all) document[one.submission.file] = entry_of(one, where);
  return document;
}

json summary_document(const std::vector<Scored>& all, const Circumstances& where) {
  int call = 0, execution = 0, performance = 0;
  double golden_ms = 0, ms = 0, sum = 0;
  for (const auto& one : all) {
    if (one.correctness.call != StageEnd::passed) continue;
    ++call;
    if (!right(one)) continue;
    ++execution;
    if (!passes_performance(one)) continue;
    ++performance;
    golden_ms += one.efficiency->golden_ms;
    ms += one.efficiency->runtime_ms;
    sum += one.efficiency->speedup;
  }
  const int total = static_cast<int>(all.size());
  const double global = ms > 0 ? rounded(golden_ms / ms, 3) : 0.0;
  return {{"method", where.method},
          {"total", total},
          {"call_pass", call},
          {"call_rate", percent(call, total)},
          {"exe_pass", execution},
          {"exe_rate", percent(execution, total)},
          {"perf_pass", performance},
          {"perf_rate", percent(performance, total)},
          {"avg_speedup", global},
          {"avg_speedup_global", global},
          {"avg_speedup_per_task", performance > 0 ? rounded(sum / performance, 3) : 0.0},
          {"ridgeline", own_summary(all, where)}};
}

}  // namespace ridgeline::submissions
