#include "engine/campaign/identity.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/json_fields.hpp"
#include "llm_clients/entry_checks.hpp"
#include "llm_clients/recording.hpp"

namespace ridgeline::campaign {
namespace {

using nlohmann::json;

/// Hashes a file's content: where it lies does not matter. A file that cannot be read has the hash of
/// nothing; whoever opens it next reports that.
Hash hash_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return sha256(std::string(std::istreambuf_iterator<char>(file), {}));
}

json endpoints_document(const llm::Model& model) {
  auto urls = json::array();
  for (const auto& endpoint : model.endpoints) urls.push_back(endpoint.base_url);
  if (urls.empty()) urls.push_back(model.base_url);
  return urls;
}

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Lists headers by lower-case name, as HTTP compares them, with a hash of the value, which may be a secret.
/// A variable "${NAME}" counts with neither its name nor its value: another key is no other model.
json headers_document(const llm::Model& model) {
  constexpr std::size_t digits = 16;  // enough to tell two values apart
  auto document = json::object();
  for (const auto& [name, value] : model.headers) {
    const auto written = llm::with_variables(value, "models." + model.name + ".headers." + name,
                                             [](const char*) { return "${}"; });
    document[in_lower_case(name)] = sha256(written).substr(0, digits);
  }
  return document;
}

/// Leaves out everything that changes neither a prompt nor an answer: keys, limits, prices, time-outs,
/// retries, streams, caches and batches.
json model_document(const llm::Model& model) {
  json document{{"provider", model.provider}, {"max_output_tokens", model.max_output_tokens}};
  if (model.temperature) document["temperature"] = *model.temperature;
  if (model.provider == llm::Provider::mailbox) return document;
  if (model.provider == llm::Provider::replay) {
    document["id"] = llm::read_recording(model.path).model;
    document["recording"] = hash_of_file(model.path);
    return document;
  }
  document["id"] = model.id;
  document["endpoints"] = endpoints_document(model);
  document["send_seed"] = model.send_seed;
  // Absent and not empty without headers: identities stored before headers counted stay the same.
  if (!model.headers.empty()) document["headers"] = headers_document(model);
  if (!model.extra.empty()) document["extra"] = json::parse(model.extra);
  if (model.provider == llm::Provider::openai_completions) document["prompt_format"] = model.prompt_format;
  return document;
}

json models_document(const StrategyChoice& choice, const CampaignConfig& config,
                     const Conditions& conditions) {
  json document = json::object();
  for (const auto& role : config.roles_asked_by(choice)) {
    // By role and not by name: renaming a model's entry changes no answer.
    const auto known = conditions.models.find(config.model_for_role(choice, role).name);
    if (known != conditions.models.end()) document[role] = json::parse(known->second);
  }
  return document;
}

json budget_document(const Budget& budget) {
  return {{"calls", budget.calls},
          {"tokens", budget.tokens},
          {"usd", budget.usd},
          {"evaluations", budget.evaluations},
          {"wall_seconds", budget.wall_seconds}};
}

json strategy_document(const StrategyChoice& choice) {
  json settings = json::object();
  for (const auto& [name, value] : choice.settings)
    std::visit([&](const auto& plain) { settings[name] = plain; }, value);
  return {{"name", choice.strategy}, {"settings", settings}};
}

/// Collects every leaf of `document` by its path. Empty objects are leaves: an empty map and none differ.
void collect_leaves(const json& document, const std::string& path, std::map<std::string, std::string>& into) {
  if (!document.is_object() || document.empty()) {
    into[path] = dump_json(document);
    return;
  }
  for (const auto& [key, value] : document.items())
    collect_leaves(value, path.empty() ? key : path + "." + key, into);
}

std::map<std::string, std::string> leaves_of(const std::string& text) {
  std::map<std::string, std::string> leaves;
  const auto document = json::parse(text, nullptr, false);
  if (document.is_object())
    collect_leaves(document, "", leaves);
  else
    leaves["identity"] = text;
  return leaves;
}

}  // namespace

std::map<std::string, std::string> model_documents(const CampaignConfig& config) {
  std::map<std::string, std::string> documents;
  for (const auto& model : config.models) documents[model.name] = dump_json(model_document(model));
  return documents;
}

std::string identity_of(const PlannedTrajectory& planned, const Plan& plan, const CampaignConfig& config,
                        const Conditions& conditions) {
  const auto& choice = config.strategies[planned.strategy];
  const auto own = conditions.own_prompts.find(choice.label);
  // Stored and compared as text: a key that is renamed or reordered here makes every campaign refuse to
  // resume.
  const json document{{"task", plan.tasks[planned.task].hash},
                      {"language", config.language},
                      {"strategy", strategy_document(choice)},
                      {"seed", planned.seed},
                      {"models", models_document(choice, config, conditions)},
                      {"budget", {{"per_trajectory", budget_document(config.per_trajectory)}}},
                      {"prompts", own == conditions.own_prompts.end() ? conditions.prompts : own->second},
                      {"knowledge", conditions.knowledge},
                      {"machine",
                       {{"device", conditions.machine.device},
                        {"toolchain", conditions.machine.toolchain},
                        {"backend", conditions.machine.backend}}},
                      {"worker", conditions.evaluate}};
  return dump_json(document);
}

std::vector<Difference> differences(const std::string& before, const std::string& now) {
  const auto old_leaves = leaves_of(before), new_leaves = leaves_of(now);
  const std::string absent = "absent";
  std::vector<Difference> differing;
  for (const auto& [path, value] : old_leaves) {
    const auto other = new_leaves.find(path);
    if (other == new_leaves.end())
      differing.push_back({path, value, absent});
    else if (other->second != value)
      differing.push_back({path, value, other->second});
  }
  for (const auto& [path, value] : new_leaves)
    if (!old_leaves.contains(path)) differing.push_back({path, absent, value});
  std::sort(differing.begin(), differing.end());
  return differing;
}

}  // namespace ridgeline::campaign
