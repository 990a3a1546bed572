#include "engine/compare/contrast_json.hpp"

#include <nlohmann/json.hpp>

#include "engine/compare/hardware_efficiency.hpp"
#include "engine/compare/precision_pairs.hpp"

#include "engine/compare/suite_json.hpp"

namespace ridgeline::compare {
namespace {

using nlohmann::json;

json of(const Interval& interval) {
  return {interval.low, interval.high};
}

json of(const Ratio& ratio) {
  if (ratio.tasks == 0) return {{"tasks", 0}, {"geometric_mean", nullptr}, {"interval", nullptr}};
  return {{"tasks", ratio.tasks}, {"geometric_mean", ratio.mean}, {"interval", of(ratio.interval)}};
}

json of(const TaskDifference& difference) {
  return {{"task", difference.task},
          {"ratio", difference.ratio},
          {"interval", of(difference.interval)},
          {"result", to_string(difference.result)}};
}

json of(const Contrast& contrast) {
  json differences = json::array();
  for (const auto& difference : contrast.differences) differences.push_back(of(difference));
  json also_differ = json::array();
  for (const auto part : contrast.also_differ) also_differ.push_back(to_string(part));
  return {{"strategies", {contrast.first, contrast.second}},
          {"also_differ", also_differ},
          {"tasks", contrast.tasks},
          {"tasks_apart", contrast.tasks_apart},
          {"speedup", of(contrast.kept)},
          {"p", contrast.p},
          {"p_holm", contrast.p_holm},
          {"won", contrast.won},
          {"lost", contrast.lost},
          {"tied", contrast.tied},
          {"both_solved", of(contrast.both_solved)},
          {"solved",
           {{"shares", {contrast.solved_first, contrast.solved_second}},
            {"difference", contrast.solved_first - contrast.solved_second},
            {"interval", of(contrast.solved_difference)},
            {"more", {contrast.more_solved_first, contrast.more_solved_second}},
            {"p", contrast.solved_p},
            {"p_holm", contrast.solved_p_holm}}},
          {"noise_floor", contrast.floor},
          {"differences", differences}};
}

json of(const NoiseFloor& floor) {
  return {{"device", floor.device},
          {"ratio", floor.ratio},
          {"repeats", floor.repeats},
          {"kernels", floor.kernels}};
}

json of(const FactorEffect& factor) {
  return {{"share", factor.share},           {"interval", of(factor.share_interval)},
          {"adjusted", factor.adjusted},     {"share_alone", factor.share_alone},
          {"deviance", factor.drop},         {"degrees", factor.degrees},
          {"per_degree", factor.per_degree}, {"p", factor.p}};
}

json of(const Attribution& attribution) {
  return {{"trajectories", attribution.trials},   {"solved", attribution.solved},
          {"tasks", attribution.tasks},           {"null_deviance", attribution.null_deviance},
          {"category", of(attribution.category)}, {"strategy", of(attribution.strategy)}};
}

json of(const AcrossDevices& across) {
  json kernels = json::array();
  for (const auto& kernel : across.kernels) {
    json on = json::array();
    for (const auto& there : kernel.by_device)
      on.push_back(there ? json{{"speedup", there->speedup}, {"efficiency", there->efficiency}} : json());
    kernels.push_back(
        {{"task", kernel.task},
         {"candidate", kernel.candidate},
         {"by_device", on},
         {"ratio", kernel.ratio},
         {"only_fast_device", kernel.only_fast_device ? json(*kernel.only_fast_device) : json()}});
  }
  json devices = json::array();
  for (std::size_t i = 0; i < across.devices.size(); ++i)
    devices.push_back({{"device", across.devices[i]},
                       {"speedup", to_json(across.speeds[i])},
                       {"only_fast", across.only_fast_counts[i]}});
  return {{"devices", devices},
          {"mean_ratio", to_json(across.mean_ratio)},
          {"median_ratio", across.median_ratio},
          {"kernels", kernels}};
}

json of(const Conclusion& conclusion) {
  return {{"sentence", conclusion.sentence},
          {"measure", to_string(conclusion.measure)},
          {"shown", conclusion.shown},
          {"best", conclusion.best ? json(*conclusion.best) : json()}};
}

json of(const EfficiencyCell& cell) {
  return {
      {"tasks", cell.tasks}, {"mean", cell.mean}, {"highest", cell.highest}, {"over_roof", cell.over_roof}};
}

json efficiencies_of(const Comparison& comparison) {
  json rows = json::array();
  for (const auto& row : hardware_efficiencies(comparison)) {
    json categories = json::array();
    for (const auto& cell : row.by_category) categories.push_back(of(cell));
    rows.push_back({{"all", of(row.all)}, {"categories", categories}});
  }
  return rows;
}

json of(const PrecisionRow& row) {
  return {{"strategy", row.strategy},
          {"precision", row.precision},
          {"tasks", row.tasks},
          {"plain", row.plain},
          {"narrow", row.narrow},
          {"more_plain", row.more_plain},
          {"more_narrow", row.more_narrow},
          {"p", row.p},
          {"p_holm", row.p_holm}};
}

}  // namespace

void add_contrasts(json& document, const Comparison& comparison) {
  document["conclusion"] = of(comparison.conclusion);
  document["contrasts"] = json::array();
  for (const auto& contrast : comparison.contrasts) document["contrasts"].push_back(of(contrast));
  document["attribution"] = comparison.attribution ? of(*comparison.attribution) : json();
  document["across_devices"] = comparison.across_devices ? of(*comparison.across_devices) : json();
  document["efficiencies"] = efficiencies_of(comparison);
  document["precisions"] = json::array();
  for (const auto& row : precision_pairs(comparison)) document["precisions"].push_back(of(row));
  document["noise_floors"] = json::array();
  for (const auto& floor : comparison.noise_floors) document["noise_floors"].push_back(of(floor));
}

}  // namespace ridgeline::compare
