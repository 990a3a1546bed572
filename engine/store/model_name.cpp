#include "engine/store/model_name.hpp"

#include <nlohmann/json.hpp>

namespace ridgeline::store {

std::string model_name(const TrajectoryRecord& trajectory) {
  using Pointer = nlohmann::json::json_pointer;
  const auto identity = nlohmann::json::parse(trajectory.identity, nullptr, false);
  if (!identity.is_object()) return trajectory.model;
  return identity.value(Pointer("/models/generator/id"), trajectory.model);
}

std::string model_name(const AskRecord& ask) {
  if (!ask.model_id.empty()) return ask.model_id;
  return ask.provider_model.empty() ? ask.model : ask.provider_model;
}

}  // namespace ridgeline::store
