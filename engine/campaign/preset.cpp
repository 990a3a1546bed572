#include "engine/campaign/preset.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/core/one_line.hpp"
#include "engine/yaml/file_paths.hpp"
#include "engine/yaml/nearest.hpp"

namespace ridgeline::campaign {
namespace fs = std::filesystem;
namespace {

strategies::SettingValue read_value(const yaml::Node& node, const strategies::SettingSpec& spec) {
  switch (spec.type) {
    case strategies::SettingType::integer:
      return node.as<std::int64_t>();
    case strategies::SettingType::real:
      return node.as<double>();
    case strategies::SettingType::boolean:
      return node.as<bool>();
    case strategies::SettingType::text:
      return node.as<std::string>();
  }
  node.fail("a setting of an unknown type");
}

void read_settings(yaml::MapReader map, const std::string& strategy, strategies::Settings& into) {
  for (const auto& spec : strategies::settings_of(strategy)) {
    const auto node = map.find(spec.name);
    if (!node) continue;
    const auto value = read_value(*node, spec);
    try {
      into[spec.name] = strategies::checked(spec, value, strategy);
    } catch (const BadInput& error) {
      node->fail(error.what());  // adds the place in the file
    }
  }
  map.finish();
}

void check_strategy(const yaml::Node& node, const std::string& name) {
  const auto known = strategies::strategy_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    node.fail(fmt::format("no strategy '{}'{}", name, yaml::did_you_mean(name, known)));
}

std::vector<std::string> presets_in(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const auto& folder : folders) {
    std::error_code missing;  // a folder that is not there is empty
    for (const auto& file : fs::directory_iterator(folder, missing))
      if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  // A preset beside the campaign hides one of the same name that ships.
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Reads a label. It is a part of a trajectory's address, task/strategy/seed, and stands in tables.
std::string read_label(const yaml::Node& node) {
  constexpr std::size_t longest = 100;
  auto label = node.as<std::string>();
  if (label.empty() || label.size() > longest || label.find('/') != std::string::npos ||
      in_one_line(label) != label)
    node.fail("a strategy's label must not be empty, contain '/' or a line end, or have more than 100 bytes");
  return label;
}

StrategyChoice read_preset(const yaml::Node& node, const std::vector<fs::path>& folders) {
  const auto name = node.as<std::string>();
  for (const auto& folder : folders) {
    const auto file = folder / (name + ".yaml");
    std::error_code unusable;  // a name too long for a file must not throw: no preset has it
    if (!fs::exists(file, unusable)) continue;
    auto map = yaml::Document::from_file(file).root().map("preset");
    StrategyChoice choice;
    choice.label = name;
    const auto strategy = map.demand("strategy");
    choice.strategy = strategy.as<std::string>();
    check_strategy(strategy, choice.strategy);
    map.optional<std::string>("description", "");
    if (auto settings = map.optional_map("settings"))
      read_settings(*settings, choice.strategy, choice.settings);
    map.finish();
    return choice;
  }
  node.fail(fmt::format("no preset '{}'{}", name, yaml::did_you_mean(name, presets_in(folders))));
}

}  // namespace

StrategyChoice read_strategy(yaml::MapReader entry, const std::vector<fs::path>& folders) {
  StrategyChoice choice;
  const auto preset = entry.find("preset");
  const auto strategy = entry.find("strategy");
  if (preset && strategy) strategy->fail("give either a preset or a strategy, not both");
  if (preset) {
    choice = read_preset(*preset, folders);
  } else {
    const auto node = entry.demand("strategy");
    choice.strategy = choice.label = node.as<std::string>();
    check_strategy(node, choice.strategy);
  }
  if (const auto label = entry.find("label")) choice.label = read_label(*label);
  if (auto settings = entry.optional_map("settings"))
    read_settings(*settings, choice.strategy, choice.settings);
  choice.prompts = yaml::optional_path(entry, "prompts");
  entry.optional_map("roles");  // read after the models are known (roles_reader.hpp)
  entry.finish();
  return choice;
}

std::vector<fs::path> preset_folders(const fs::path& campaign_file) {
  std::vector<fs::path> folders{campaign_file.parent_path() / "strategies"};
  // Found beside the program, so that a build tree and an installed tree both work without a setting.
  std::error_code unknown;
  const auto program = fs::read_symlink("/proc/self/exe", unknown);
  for (const auto* relative :
       {"../../configs/strategies", "../../../configs/strategies",  // build/<preset>/bin
        "../share/ridgeline/configs/strategies"})
    folders.push_back((program.parent_path() / relative).lexically_normal());
  return folders;
}

}  // namespace ridgeline::campaign
