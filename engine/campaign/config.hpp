// A campaign file as data: what to refine, by which strategies, with which models, at what cost, where.
//
// Read strictly by config_reader.hpp; every member has the file's default.
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

/// Upper bounds; nullopt is none. Calls count critics too.
struct Budget {
  std::optional<std::int64_t> calls;
  std::optional<std::int64_t> tokens;  ///< input plus output, as the providers report them
  std::optional<double> usd;
  std::optional<std::int64_t> evaluations;
  std::optional<double> wall_seconds;
};

/// A preset with the campaign's own changes on top.
struct StrategyChoice {
  std::string label;     ///< unique in the campaign; stands in reports
  std::string strategy;  ///< name in the registry
  std::map<std::string, strategies::SettingValue> settings;
};

struct WorkerChoice {
  std::string backend = "cpu";
  std::vector<std::string> launcher;  ///< command line in front of the worker; empty starts it here
  std::string mailbox;                ///< a folder instead of a process
  std::string device;                 ///< what prompts call the device of a worker that says no hello
  int count = 1;
  std::string isolation = "standard";  ///< strict, standard, none
  std::vector<std::string> flags;  ///< compiler flags from the allowed list; empty is the language's default
  double timing_cap_ms = 60;       ///< a side and case
  bool profile = true;
  bool torch_headers =
      true;             ///< torch's own for inline C++ of answers where stand-ins do not do: a minute each
  bool energy = false;  ///< joules a call, where a device counts them
  Fallback fallback = Fallback::allow;  ///< of modules that compute by torch's operators
  std::optional<CompileMode>
      torch_compile;  ///< the second baseline of tasks that have a module; none unless asked for
};

struct CampaignConfig {
  std::string name;
  std::string description;
  /// Opened, with the tasks chosen from it; copies of a configuration share it.
  std::shared_ptr<suites::Suite> suite = suites::default_suite();
  Language language = Language::cpp;
  std::vector<StrategyChoice> strategies;
  std::vector<llm::Model> models;
  std::map<std::string, std::string>
      roles;  ///< "generator", "critic" → name of a model; generator is required
  std::vector<std::uint64_t> seeds{0};
  Budget per_trajectory;
  Budget total;
  int concurrency = 32;   ///< trajectories that run at once
  std::string prompts;    ///< folder of overriding templates; "" is none
  std::string knowledge;  ///< folder of source files that strategies may retrieve from; "" is none
  WorkerChoice worker;
  std::string store;  ///< file; "" is runs/<name>.db
  std::string text;   ///< the file with overrides applied, as it is kept in the store

  const llm::Model& model(const std::string& name) const;
  /// The model that plays `role`; critics fall back to the generator.
  const llm::Model& model_for_role(const std::string& role) const;
  /// The roles whose models a strategy may ask: the generator, and those that its settings name.
  std::set<std::string> roles_asked_by(const StrategyChoice& choice) const;
};

}  // namespace ridgeline::campaign
