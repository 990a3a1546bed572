// A campaign file as data: what to refine, by which strategies, with which models, at what cost, where.
//
// Read strictly by config_reader.hpp. Members have the file's defaults, except those that follow from other
// keys or from the file's name: name, language, roles, store and the worker's backend.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/compile_mode.hpp"
#include "engine/core/fallback.hpp"
#include "engine/strategies/registry.hpp"
#include "engine/suites/registry.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::campaign {

/// Upper bounds; nullopt means no bound. Calls to critics count as calls.
struct Budget {
  std::optional<std::int64_t> calls;
  std::optional<std::int64_t> tokens;  ///< input plus output, as the providers report them
  std::optional<double> usd;
  std::optional<std::int64_t> evaluations;
  std::optional<double> wall_seconds;  ///< of all runs of the campaign together, in both budgets
};

/// A strategy with its settings: a preset's, overridden by the campaign's own.
struct StrategyChoice {
  std::string label;     ///< unique in the campaign; names the strategy in reports
  std::string strategy;  ///< name in the registry
  std::map<std::string, strategies::SettingValue> settings;
  /// Names of models by role, in place of the campaign's; empty for those alone.
  std::map<std::string, std::string> roles;
  std::string prompts;  ///< folder of templates that override the campaign's; "" for none
};

/// Says where and how candidates are judged.
struct WorkerChoice {
  std::string backend = "cpu";        ///< "cpu" or "cuda"
  std::vector<std::string> launcher;  ///< command line put before the worker's; empty starts it here
  std::string mailbox;  ///< folder for requests and verdicts, in place of a process; "" for none
  std::string device;   ///< device named in prompts when a mailbox hides the worker
  int count = 1;        ///< workers started
  std::string isolation = "standard";  ///< "strict", "standard" or "none"
  std::vector<std::string> flags;      ///< compiler flags from the allowed list; empty for the language's own
  double timing_cap_ms = 60;  ///< milliseconds, the most for timing one side (candidate, baseline) of a case
  std::optional<double> precision_goal;  ///< EvaluateSettings::precision_goal
  bool profile = true;                   ///< read hardware counters
  bool all_counters = false;             ///< also those that no diagnosis uses
  /// Build inline C++ with torch's own headers if the stand-ins fail. Costs about a minute per build.
  bool torch_headers = true;
  bool energy = false;                              ///< measure joules per call, where a device counts them
  FallbackPolicy fallback = FallbackPolicy::allow;  ///< for answers that call torch's own operators
  std::optional<CompileMode> torch_compile;         ///< also time the task's module under torch.compile
};

struct CampaignConfig {
  std::string name;
  std::string description;
  /// The opened suite with its filter applied. Copies of a configuration share it.
  std::shared_ptr<suites::Suite> suite = suites::default_suite();
  Language language = Language::cpp;
  std::vector<StrategyChoice> strategies;
  std::vector<llm::Model> models;
  /// Name of a model by role ("generator", "critic" or a strategy's own), for strategies that name no other.
  /// Always has "generator".
  std::map<std::string, std::string> roles;
  std::vector<std::uint64_t> seeds{0};
  Budget per_trajectory;
  Budget total;
  int concurrency = 32;   ///< trajectories that run at once
  std::string prompts;    ///< folder of templates that override the built-in ones; "" for none
  std::string knowledge;  ///< folder of source files that strategies may retrieve from; "" for none
  WorkerChoice worker;
  std::string store;  ///< path of the SQLite file; by the file's default runs/<name>.db
  std::string text;   ///< the campaign file as JSON, overrides applied; stored with the campaign

  /// Throws BadInput if no model has this name.
  const llm::Model& model(const std::string& name) const;
  /// Throws BadInput if no strategy has this label.
  const StrategyChoice& strategy(const std::string& label) const;
  /// Returns the model that plays `role` for a strategy of this campaign: by its own roles, else by the
  /// campaign's. The strategy's generator plays "" and each role that has no model.
  const llm::Model& model_for_role(const StrategyChoice& choice, const std::string& role) const;
  /// Returns the roles whose models a strategy may call: the generator, and each role, its own or the
  /// campaign's, whose name is the value of one of the strategy's text settings.
  std::set<std::string> roles_asked_by(const StrategyChoice& choice) const;
};

}  // namespace ridgeline::campaign
