#include "engine/strategies/registry.hpp"

#include "engine/strategies/best_of_n.hpp"
#include "engine/strategies/geak.hpp"
#include "engine/strategies/iterative.hpp"
#include "engine/strategies/kernel_agent.hpp"
#include "engine/strategies/single_shot.hpp"

namespace ridgeline::strategies {
namespace {

struct Entry {
  std::string name;
  std::vector<SettingSpec> specs;
  std::function<StrategyFunction(const Settings&)> make;
  std::function<int(const Settings&)> calls;
  std::function<int(const Settings&)> evaluations;
};

/// Ties a strategy to its settings. `calls` and `evaluations` bound a trajectory, given the typed settings.
template <class S, class Calls, class Evaluations>
Entry entry(std::string name, SettingTable<S> table, Routine<> (*strategy)(Effects&, Brief, S), Calls calls,
            Evaluations evaluations) {
  const auto owner = "strategy " + name;
  auto make = [table, owner, strategy](const Settings& given) -> StrategyFunction {
    return [strategy, settings = table.read(given, owner)](Effects& effects, Brief brief) {
      return strategy(effects, brief, settings);
    };
  };
  auto most_calls = [table, owner, calls](const Settings& given) -> int {
    return calls(table.read(given, owner));
  };
  auto most_evaluations = [table, owner, evaluations](const Settings& given) -> int {
    return evaluations(table.read(given, owner));
  };
  auto specs = table.specs();
  return {std::move(name), std::move(specs), std::move(make), std::move(most_calls),
          std::move(most_evaluations)};
}

const std::vector<Entry>& entries() {
  const auto single = [](const SingleShotSettings&) { return 1; };
  const auto n = [](const BestOfNSettings& settings) { return settings.n; };
  const auto rounds = [](const IterativeSettings& settings) { return settings.rounds; };
  const auto attempts = [](const GeakSettings& settings) { return settings.rounds * settings.candidates; };
  const auto chains = [](const KernelAgentSettings& settings) { return settings.seeds * settings.rounds; };
  // A new strategy is a line here. Campaign files, help texts and plans find it through this list.
  static const std::vector<Entry> all{
      entry("single_shot", single_shot_table(), single_shot, single, single),
      entry("best_of_n", best_of_n_table(), best_of_n, n, n),
      entry("iterative", iterative_table(), iterative, rounds, rounds),
      entry("geak", geak_table(), geak, geak_calls, attempts),
      entry("kernel_agent", kernel_agent_table(), kernel_agent, chains, chains),
  };
  return all;
}

const Entry& find(const std::string& name) {
  for (const auto& entry : entries())
    if (entry.name == name) return entry;
  throw BadInput("unknown strategy \"" + name + "\"" + suggestion(name, strategy_names()));
}

}  // namespace

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const auto& entry : entries()) names.push_back(entry.name);
  return names;
}

const std::vector<SettingSpec>& settings_of(const std::string& strategy) {
  return find(strategy).specs;
}

StrategyFunction make_strategy(const std::string& strategy, const Settings& settings) {
  return find(strategy).make(settings);
}

int upper_bound_of_calls(const std::string& strategy, const Settings& settings) {
  return find(strategy).calls(settings);
}

int upper_bound_of_evaluations(const std::string& strategy, const Settings& settings) {
  return find(strategy).evaluations(settings);
}

}  // namespace ridgeline::strategies
