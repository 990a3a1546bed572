#include "engine/campaign/config_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "engine/campaign/knowledge_folder.hpp"
#include "engine/campaign/language_reader.hpp"
#include "engine/campaign/model_reader.hpp"
#include "engine/campaign/preset.hpp"
#include "engine/campaign/roles_reader.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "engine/yaml/file_paths.hpp"
#include "engine/yaml/json.hpp"
#include "engine/yaml/nearest.hpp"
#include "engine/yaml/overrides.hpp"
#include "prompts/templates.hpp"

namespace ridgeline::campaign {
namespace {

Budget read_budget(yaml::MapReader map) {
  Budget budget;
  budget.calls = map.optional<std::int64_t>("calls", yaml::at_least(1));
  budget.tokens = map.optional<std::int64_t>("tokens", yaml::at_least(1));
  budget.usd = map.optional<double>("usd", yaml::at_least(0));
  budget.evaluations = map.optional<std::int64_t>("evaluations", yaml::at_least(1));
  budget.wall_seconds = map.optional<double>("wall_seconds", yaml::at_least(0));
  map.finish();
  return budget;
}

/// Returns "cpu" for a language that is compiled for it. An interpreter's times say nothing, so a campaign
/// must name a CPU that only interprets its language.
std::string default_backend(Language language) {
  const auto& known = traits(language);
  return known.runs_on("cpu") && !known.interpreted_on_cpu ? "cpu" : std::string(known.backends.front());
}

std::string read_backend(yaml::MapReader& map, Language language) {
  const auto node = map.find("backend");
  if (!node) return default_backend(language);
  static const std::vector<std::string> known{"cpu", "cuda"};
  const auto backend = node->as<std::string>();
  if (std::find(known.begin(), known.end(), backend) == known.end())
    node->fail(fmt::format("no backend '{}'{}", backend, yaml::did_you_mean(backend, known)));
  if (!traits(language).runs_on(backend))
    node->fail(fmt::format("kernels in {} run on the backend {}: change language, or leave backend out",
                           to_string(language), traits(language).backends.front()));
  return backend;
}

WorkerChoice read_worker(yaml::MapReader map, Language language, const suites::Profile& suite) {
  WorkerChoice worker;
  worker.backend = read_backend(map, language);
  // A string is split as a shell would, without its expansions; a list is taken word by word.
  if (const auto launcher = map.find("launcher")) {
    worker.launcher = launcher->is_list() ? launcher->as<std::vector<std::string>>()
                                          : evaluation::split_command(launcher->as<std::string>());
  }
  worker.mailbox = yaml::optional_path(map, "mailbox");
  if (!worker.mailbox.empty() && !worker.launcher.empty())
    map.fail("give either a launcher or a mailbox, not both");
  worker.device = map.optional<std::string>("device", "");
  if (!worker.device.empty() && worker.mailbox.empty())
    map.fail("device is for a mailbox: any other worker says itself what it has");
  worker.count = map.optional<int>("count", 1, yaml::in_range(1, 1024));
  const auto isolation = map.find("isolation");
  if (isolation) {
    worker.isolation = isolation->as<std::string>();
    static const std::vector<std::string> known{"strict", "standard", "none"};
    if (std::find(known.begin(), known.end(), worker.isolation) == known.end())
      isolation->fail(
          fmt::format("no isolation '{}'{}", worker.isolation, yaml::did_you_mean(worker.isolation, known)));
  }
  worker.flags = map.optional("flags", std::vector<std::string>());
  worker.timing_cap_ms =
      map.optional<double>("timing_cap_ms", worker.timing_cap_ms, yaml::in_range(1, 60'000));
  if (map.find("precision_goal"))
    worker.precision_goal = map.optional<double>(
        "precision_goal", 0, yaml::in_range(protocol::least_precision_goal, protocol::most_precision_goal));
  worker.profile = map.optional<bool>("profile", true);
  worker.all_counters = map.optional<bool>("all_counters", false);
  worker.torch_headers = map.optional<bool>("torch_headers", true);
  worker.energy = map.optional<bool>("energy", false);
  worker.fallback = map.optional<FallbackPolicy>("fallback", FallbackPolicy::allow);
  if (worker.fallback != FallbackPolicy::allow && traits(language).runtime != Runtime::interpreter)
    map.fail(fmt::format("fallback is for modules; kernels in {} have no operators to fall back to",
                         to_string(language)));
  if (const auto mode = map.find("torch_compile")) {
    worker.torch_compile = mode->as<CompileMode>();
    if (!suite.has(suites::Baseline::torch_compile))
      mode->fail(
          fmt::format("torch_compile is for modules{}", hint_at_suite([](const suites::Profile& other) {
                        return other.has(suites::Baseline::torch_compile);
                      })));
  }
  map.finish();
  return worker;
}

void check_labels(const std::vector<StrategyChoice>& strategies, const yaml::Node& list) {
  const auto entries = list.list();
  for (std::size_t i = 0; i < strategies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (strategies[i].label == strategies[j].label)
        entries[i].fail(
            fmt::format("two strategies are called '{}', the first at {}: give one of them a label",
                        strategies[i].label, entries[j].place().text()));
}

/// Reads the seeds and refuses a repeated one: two trajectories of one task, strategy and seed have the same
/// place in the store, and the second would count the first's calls again.
std::vector<std::uint64_t> read_seeds(yaml::MapReader& map) {
  const auto node = map.find("seeds");
  if (!node) return {0};
  const auto seeds = node->as<std::vector<std::uint64_t>>();
  if (seeds.empty()) node->fail("seeds is empty: name at least one");
  constexpr std::size_t most = 10'000;
  if (seeds.size() > most) node->fail(fmt::format("{} seeds; a campaign has at most {}", seeds.size(), most));
  const auto items = node->list();
  std::map<std::uint64_t, std::size_t> seen;
  for (std::size_t i = 0; i < seeds.size(); ++i)
    if (const auto [first, is_new] = seen.emplace(seeds[i], i); !is_new)
      items[i].fail(
          fmt::format("the seed {} stands twice, first at {}: a seed is one trajectory of each task and "
                      "strategy; name another",
                      seeds[i], items[first->second].place().text()));
  return seeds;
}

/// Reads the knowledge folder's path. Refuses a folder that cannot be used, and a strategy that wants one
/// where the file names none, before anything is spent.
std::string read_knowledge_folder(yaml::MapReader& map, Language language,
                                  const std::vector<StrategyChoice>& strategies) {
  const auto node = map.find("knowledge");
  if (!node) {
    const auto entries = map.demand("strategies").list();
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (retrieves(strategies[i]))
        entries[i].fail(
            fmt::format("the strategy '{}' retrieves from a corpus and the campaign names none: add "
                        "knowledge: DIR, or set the strategy's setting knowledge to none",
                        strategies[i].label));
    return "";
  }
  const auto folder = yaml::path_in_file(*node);
  try {
    knowledge_files(folder, language);
  } catch (const BadInput& error) {
    node->fail(error.what());  // adds the place in the campaign file
  }
  return folder;
}

/// Refuses strategies that want examples in a language that has none: examples are written by hand.
void check_examples(yaml::MapReader& map, const CampaignConfig& config) {
  const auto& strategies = config.strategies;
  const auto templates = prompts::Templates::built_in();
  const bool there = std::ranges::any_of(traits(config.language).forms, [&](Form form) {
    return templates.has("common/" +
                         templates.part_for("example", config.language, form, config.worker.backend));
  });
  const auto entries = map.demand("strategies").list();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto setting = strategies[i].settings.find("examples");
    if (setting == strategies[i].settings.end() ||
        setting->second == strategies::SettingValue(std::string("none")))
      continue;
    if (!there)
      entries[i].fail(fmt::format("there are no examples in {}: set examples of the strategy '{}' to none",
                                  to_string(config.language), strategies[i].label));
  }
}

/// Reads the name, or takes the file's. The store and every file beside it are named after the campaign, so a
/// name must be safe in a path.
std::string read_name(yaml::MapReader& map, const std::filesystem::path& file) {
  constexpr std::size_t longest = 100;
  const auto is_name = [](const std::string& name) {
    return !name.empty() && name.size() <= longest && name.front() != '.' &&
           name.find("..") == std::string::npos && std::all_of(name.begin(), name.end(), [](unsigned char c) {
             return std::isalnum(c) || c == '-' || c == '_' || c == '.';
           });
  };
  constexpr const char* rule =
      "a name has letters, digits, '-', '_' and single '.', does not begin with '.', and has at most 100 of "
      "them "
      "(the store is named after it)";
  const auto node = map.find("name");
  const auto name = node ? node->as<std::string>() : file.stem().string();
  if (is_name(name)) return name;
  if (node) node->fail(fmt::format("'{}' is no name for a campaign: {}", name.substr(0, longest), rule));
  map.fail(fmt::format("without the key name, the campaign is called '{}' as its file: {}; add the key name",
                       name, rule));
}

}  // namespace

CampaignConfig read_campaign(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  auto document = yaml::Document::from_file(file);
  yaml::apply_overrides(document, overrides);
  auto map = document.root().map("campaign");
  CampaignConfig config;
  config.text = dump_json(yaml::to_json(document.root()), 2);  // stored: anchors and overrides are resolved
  config.name = read_name(map, file);
  config.description = map.optional<std::string>("description", "");
  if (auto suite = map.optional_map("suite")) config.suite = suites::read(*suite);
  config.language = read_language(map, config.suite->profile());  // a suite has a language of its own

  const auto folders = preset_folders(file);
  const auto strategies = map.demand("strategies");
  for (const auto& entry : strategies.list())
    config.strategies.push_back(read_strategy(entry.map("strategy"), folders));
  if (config.strategies.empty()) strategies.fail("strategies is empty: name at least one preset");
  check_labels(config.strategies, strategies);

  config.models = read_models(map.map("models"));
  read_roles(map, config);
  config.seeds = read_seeds(map);
  if (auto budget = map.optional_map("budget")) {
    if (auto each = budget->optional_map("per_trajectory")) config.per_trajectory = read_budget(*each);
    if (auto total = budget->optional_map("total")) config.total = read_budget(*total);
    budget->finish();
  }
  config.concurrency = map.optional<int>("concurrency", config.concurrency, yaml::in_range(1, 100'000));
  config.prompts = yaml::optional_path(map, "prompts");
  config.knowledge = read_knowledge_folder(map, config.language, config.strategies);
  config.worker.backend = default_backend(config.language);  // also if the file has no key `worker`
  if (auto worker = map.optional_map("worker"))
    config.worker = read_worker(*worker, config.language, config.suite->profile());
  check_examples(map, config);
  const auto store = map.find("store");
  config.store = store ? yaml::path_in_file(*store) : "runs/" + config.name + ".db";
  map.finish();
  return config;
}

}  // namespace ridgeline::campaign
