#include "engine/compare/settings.hpp"

#include <nlohmann/json.hpp>

#include "engine/store/records.hpp"

namespace ridgeline::compare {
namespace {

using nlohmann::json;

/// Collects every leaf by its path. Lists and empty objects are leaves.
void collect_settings(const json& document, const std::string& path, Settings& into) {
  if (!document.is_object() || document.empty()) {
    into[path] = document.dump(-1, ' ', false, json::error_handler_t::replace);
    return;
  }
  for (const auto& [key, value] : document.items())
    collect_settings(value, path.empty() ? key : path + "." + key, into);
}

json document_of(const store::TrajectoryRecord& trajectory, const Hash& prompts) {
  auto document = json::parse(trajectory.identity, nullptr, false);
  if (document.is_object()) {
    document.erase("task");
    document.erase("seed");
    return document;
  }
  auto strategy = json::parse(trajectory.strategy_json, nullptr, false);
  if (!strategy.is_object()) strategy = trajectory.strategy_json;
  return {{"strategy", strategy}, {"language", to_string(trajectory.language)}, {"prompts", prompts}};
}

}  // namespace

std::vector<Part> default_parts() {
  std::vector<Part> parts;
  for (const auto& [part, name] : enum_names(Part{}))
    if (part != Part::campaign) parts.push_back(part);
  return parts;
}

Part part_of(const std::string& path) {
  const auto first = path.substr(0, path.find('.'));
  if (first == "strategy") return Part::settings;
  if (first == "models") return Part::models;
  if (first == "language") return Part::language;
  if (first == "prompts" || first == "knowledge") return Part::prompts;
  if (first == "budget") return Part::budget;
  return Part::evaluation;  // "worker" and "machine", and what a later ridgeline may add
}

SharedSettings SettingsReader::read(const store::TrajectoryRecord& trajectory, const Hash& prompts) {
  const auto document = document_of(trajectory, prompts);
  auto& known = known_[document.dump(-1, ' ', false, json::error_handler_t::replace)];
  if (!known) {
    Settings settings;
    collect_settings(document, "", settings);
    known = std::make_shared<const Settings>(std::move(settings));
  }
  return known;
}

}  // namespace ridgeline::compare
