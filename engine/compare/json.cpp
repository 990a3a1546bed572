#include "engine/compare/json.hpp"

#include <nlohmann/json.hpp>

#include "engine/compare/contrast_json.hpp"
#include "engine/compare/kernelbench_x_json.hpp"
#include "engine/compare/suite_json.hpp"
#include "engine/suites/registry.hpp"

namespace ridgeline::compare {
namespace {

using nlohmann::json;

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json setting_json(const std::string& value) {
  return value.empty() ? json() : json::parse(value, nullptr, false);
}

json settings_json(const Settings& settings) {
  json document = json::object();
  for (const auto& [path, value] : settings) document[path] = setting_json(value);
  return document;
}

json of(const SettingDifference& difference) {
  json values = json::array();
  for (const auto& value : difference.values) values.push_back(setting_json(value));
  return {{"setting", difference.path}, {"values", values}};
}

json ends_of(const Interval& interval) {
  return {interval.low, interval.high};
}

json of(const SpeedRatio& ratio) {
  if (ratio.ratio == 0) return {{"ratio", nullptr}, {"interval", nullptr}};
  return {{"ratio", ratio.ratio}, {"interval", ends_of(ratio.interval)}};
}

json of(const Speed& speed) {
  return to_json(speed);
}

json of(const StrategyRow& row) {
  json fast = json::array();
  for (std::size_t i = 0; i < row.fast.size(); ++i)
    fast.push_back({{"p", fast_thresholds[i]},
                    {"trajectories", row.fast[i]},
                    {"share", row.trajectories == 0 ? 0.0 : 1.0 * row.fast[i] / row.trajectories}});
  return {{"label", row.label},
          {"strategy", row.identity.strategy},
          {"model", row.identity.model},
          {"language", row.identity.language},
          {"campaign", row.identity.campaign},
          {"side", row.identity.side},
          {"settings", settings_json(row.identity.settings)},
          {"trajectories", row.trajectories},
          {"not_judged", row.not_judged},
          {"incomplete", row.incomplete},
          {"candidates_not_judged", row.candidates_not_judged},
          {"compiled", row.compiled},
          {"callable", row.callable},
          {"correct", row.correct},
          {"final_failed", row.final_failed},
          {"flagged", row.flagged},
          {"fast", fast},
          {"speedups", row.speedups},
          {"speedup", of(row.speed)},
          {"kept_quartiles", row.kept_quartiles},
          {"rescued", of(row.rescued)},
          {"persistent", of(row.persistent)},
          {"rescued_over_persistent", of(row.repair)},
          {"calls", row.calls},
          {"tokens", row.tokens},
          {"usd", row.usd},
          {"evaluations", row.evaluations},
          {"wall_seconds", row.wall_seconds},
          {"gpu_seconds", row.gpu_seconds}};
}

json of(const RoundRow& row) {
  return {{"strategy", row.strategy},     {"round", row.round},
          {"candidates", row.candidates}, {"not_judged", row.not_judged},
          {"compiled", row.compiled},     {"correct", row.correct},
          {"flagged", row.flagged},       {"speedup", of(row.speed)},
          {"solved", row.solved},         {"scored", of(row.best)},
          {"callable", row.callable},     {"newly", of(row.newly)},
          {"before", of(row.before)},     {"newly_over_before", of(row.repair)}};
}

json of(const RooflinePoint& point) {
  const auto& r = point.roofline;
  return {{"strategy", point.strategy},
          {"task", point.task},
          {"device", point.device},
          {"case", r.case_name},
          {"flagged", point.flagged},
          {"bytes", r.bytes},
          {"operations", r.operations},
          {"seconds", r.seconds},
          {"intensity", r.intensity},
          {"efficiency", r.efficiency},
          {"bound", to_string(r.bound)},
          {"bytes_source", to_string(r.bytes_source)},
          {"operations_source", to_string(r.operations_source)}};
}

json of(const Ceilings& ceilings) {
  json peaks = json::array();
  for (const auto& peak : ceilings.peaks)
    peaks.push_back({{"unit", peak.unit}, {"operations_per_second", peak.operations_per_second}});
  json levels = json::array();
  for (const auto& level : ceilings.levels)
    levels.push_back({{"name", level.name},
                      {"bytes", level.bytes},
                      {"read", level.read},
                      {"written", level.written},
                      {"both", level.both}});
  return {
      {"device", ceilings.device}, {"bandwidth", ceilings.bandwidth}, {"peaks", peaks}, {"levels", levels}};
}

json of(const TaskRow& row) {
  json results = json::array();
  for (const auto& result : row.results)
    results.push_back({{"trajectories", result.trajectories},
                       {"not_judged", result.not_judged},
                       {"correct", result.correct},
                       {"best", or_null(result.best)},
                       {"best_interval", result.best ? json{result.best_low, result.best_high} : json()},
                       {"best_flagged", result.best_flagged},
                       {"flagged", result.flagged},
                       {"candidate", result.candidate}});
  return {{"task", row.task},
          {"category", row.category},
          {"results", results},
          {"fastest", or_null(row.fastest)}};
}

json categories_of(const Comparison& comparison) {
  json all = json::array();
  for (std::size_t k = 0; k < comparison.categories.size(); ++k) {
    json cells = json::array();
    for (const auto& of_strategy : comparison.by_category) {
      const auto& cell = of_strategy[k];
      cells.push_back({{"trajectories", cell.trajectories},
                       {"not_judged", cell.not_judged},
                       {"compiled", cell.compiled},
                       {"callable", cell.callable},
                       {"correct", cell.correct},
                       {"correct_interval", ends_of(wilson_interval(cell.correct, cell.trajectories))},
                       {"speedup", of(cell.speed)}});
    }
    const auto [unsolved, judged] = unsolved_by_all(comparison, comparison.categories[k]);
    all.push_back({{"category", comparison.categories[k]},
                   {"tasks", judged},
                   {"unsolved_by_all", unsolved},
                   {"strategies", cells}});
  }
  return all;
}

json curves_of(const Comparison& comparison) {
  json all = json::array();
  for (const auto& curve : comparison.unit_curves.front().curves) {
    json points = json::array();
    for (const auto& point : curve)
      points.push_back({{"budget", point.budget},
                        {"correct", point.correct},
                        {"correct_interval", ends_of(point.correct_interval)},
                        {"speedup", point.speedup},
                        {"speedup_interval", ends_of(point.speedup_interval)}});
    all.push_back(points);
  }
  return all;
}

template <class T>
json list_of(const std::vector<T>& values) {
  json list = json::array();
  for (const auto& value : values) list.push_back(of(value));
  return list;
}

}  // namespace

json to_json(const Comparison& comparison) {
  json document{{"schema", "ridgeline-comparison"},
                {"version", json_schema_version},
                {"budget",
                 {{"calls", or_null(comparison.limits.calls)},
                  {"tokens", or_null(comparison.limits.tokens)},
                  {"usd", or_null(comparison.limits.usd)},
                  {"evaluations", or_null(comparison.limits.evaluations)},
                  {"wall_seconds", or_null(comparison.limits.wall_seconds)},
                  {"gpu_seconds", or_null(comparison.limits.gpu_seconds)}}},
                {"score", comparison.scoring == Scoring::best ? "best" : "last"},
                {"flagged_included", comparison.flagged_included},
                {"campaigns", comparison.campaigns},
                {"notes", comparison.notes},
                {"strategies", list_of(comparison.strategies)},
                {"differences", list_of(comparison.differences)},
                {"rounds", list_of(comparison.rounds)},
                {"categories", categories_of(comparison)},
                {"curve_unit", to_string(comparison.unit)},
                {"curves", curves_of(comparison)},
                {"rooflines", list_of(comparison.rooflines)},
                {"ceilings", list_of(comparison.ceilings)},
                {"tasks", list_of(comparison.tasks)}};
  add_contrasts(document, comparison);
  add_kernelbench_x(document, comparison);
  // A key for each suite that there is, so that a reader need not ask which are known.
  for (const auto* kind : suites::kinds())
    if (kind->profile().rule) document[kind->profile().name] = json();
  for (const auto& suite : comparison.suites) document[suite.name] = to_json(suite);
  return document;
}

}  // namespace ridgeline::compare
