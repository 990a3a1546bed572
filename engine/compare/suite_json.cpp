#include "engine/compare/suite_json.hpp"

#include <nlohmann/json.hpp>

namespace ridgeline::compare {
namespace {

using nlohmann::json;

json of(const std::array<int, ending_count>& counts) {
  json endings = json::object();
  const auto names = enum_names(Ending{});
  for (std::size_t i = 0; i < ending_count; ++i) endings[std::string(names[i].name)] = counts[i];
  return endings;
}

json of(const BaselineScore& against, int tasks, const suites::ScoringRule& rule) {
  json fast = json::array();
  for (std::size_t i = 0; i < rule.thresholds.size(); ++i)
    fast.push_back({{"p", rule.thresholds[i]}, {"share", tasks == 0 ? json() : json(against.fast[i])}});
  return {{"fast", fast}, {"speedup", to_json(against.speed)}, {"untimed", against.untimed}};
}

json of(const LevelScore& score, const SuiteScore& suite) {
  json pass = json::array();
  for (const auto& [k, share] : score.pass_at) pass.push_back({{"k", k}, {"share", share}});
  json compiled = json::object();
  for (std::size_t i = 0; i < suite.modes.size(); ++i)
    compiled[suite.modes[i]] = of(score.compiled.at(i), score.tasks, suite.rule);
  json document = of(score.eager, score.tasks, suite.rule);
  document.update({{"tasks", score.tasks},
                   {"not_judged", score.not_judged},
                   {"against_torch_compile", compiled},
                   {"endings", of(score.endings)},
                   {"answers", of(score.answers)},
                   {"pass_at", pass}});
  return document;
}

json of(const SeparateTask& row) {
  json passed = json::array();
  for (const auto& [right, all] : row.passed) passed.push_back({{"right", right}, {"trajectories", all}});
  return {{"task", row.task.file},
          {"level", row.task.level},
          {"standing", to_string(row.task.standing)},
          {"reason", row.task.reason},
          {"strategies", passed}};
}

}  // namespace

json to_json(const Speed& speed) {
  if (speed.kernels == 0) return {{"kernels", 0}, {"geometric_mean", nullptr}, {"interval", nullptr}};
  return {{"kernels", speed.kernels},
          {"geometric_mean", speed.mean},
          {"interval", {speed.interval.low, speed.interval.high}}};
}

json to_json(const SuiteScore& score) {
  json strategies = json::array();
  for (const auto& row : score.strategies) {
    json levels = json::array();
    for (std::size_t i = 0; i < row.levels.size(); ++i)
      levels.push_back({{"level", i < score.levels.size() ? json(score.levels[i]) : json("all")},
                        {"faithful", of(row.levels[i][0], score)},
                        {"hardened", of(row.levels[i][1], score)}});
    strategies.push_back({{"label", row.label}, {"levels", levels}});
  }
  json apart = json::array();
  for (const auto& row : score.apart) apart.push_back(of(row));
  return {{"levels", score.levels}, {"strategies", strategies}, {"apart", apart}};
}

}  // namespace ridgeline::compare
