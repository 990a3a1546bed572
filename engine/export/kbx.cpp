#include "engine/export/kbx.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/export/row.hpp"

namespace ridgeline::exporting {
namespace {

std::string dtype_of_first_tensor(const nlohmann::json& task) {
  for (const auto& parameter : task.value("parameters", nlohmann::json::array()))
    if (parameter.contains("dtype")) return parameter.at("dtype").get<std::string>();
  return "";
}

}  // namespace

std::string kbx_file(const store::TrajectoryRecord& trajectory) {
  std::string_view name = trajectory.task_name;
  if (name.starts_with(trajectory.category + "_")) name.remove_prefix(trajectory.category.size() + 1);
  return trajectory.category + "/" + std::string(name) + ".py";
}

KbxSide kbx_side(const TaskTrajectories& task, const store::AttemptRecord& attempt) {
  const auto verdict = task.visible_verdict(attempt);
  KbxSide side;
  side.call = rank_of(verdict) >= 2;
  side.execution = verdict.correct();
  side.performance = verdict.correct() && verdict.timing && !verdict.timing->cases.empty();
  side.dtype = dtype_of_first_tensor(nlohmann::json::parse(task.task.document));
  side.error = failure_text(verdict);
  if (!side.performance) return side;
  side.speedup = verdict.speedup();
  for (const auto& timed : verdict.timing->cases) side.runtime_ms += timed.cold.median * 1e3;
  double seconds = 0, bytes = 0, operations = 0;
  for (const auto& roofline : verdict.rooflines) {
    seconds += roofline.seconds;
    bytes += roofline.bytes;
    operations += roofline.operations;
  }
  side.placed = seconds > 0;
  if (side.placed) {
    side.gbs = bytes / seconds / 1e9;
    side.tflops = operations / seconds / 1e12;
  }
  return side;
}

}  // namespace ridgeline::exporting
