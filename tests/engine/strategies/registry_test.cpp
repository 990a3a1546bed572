#include "engine/strategies/registry.hpp"

#include <fstream>
#include <limits>

#include "engine/core/error.hpp"
#include "tests/engine/strategies/fake_effects.hpp"

namespace ridgeline::strategies {
namespace {

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Registry, RunsEveryStrategyWithItsDefaultsWithinItsBounds) {
  EXPECT_EQ(strategy_names(),
            (std::vector<std::string>{"single_shot", "best_of_n", "iterative", "geak", "kernel_agent"}));
  for (const auto& name : strategy_names()) {
    int calls = 0, evaluations = 0;
    testing::FakeEffects effects([&](const Ask& ask, int, std::size_t) {
      ++calls;
      if (ask.critic) return testing::prose("hm");
      // The most that it asks is asked where nothing ends it early.
      const auto source = "k" + std::to_string(++evaluations);
      return name == "kernel_agent" ? testing::incorrect(source) : testing::correct(source, 1);
    });
    EXPECT_TRUE(testing::run(make_strategy(name, {})(effects, Brief{testing::any_task})));
    EXPECT_EQ(calls, upper_bound_of_calls(name, {})) << name;
    EXPECT_EQ(evaluations, upper_bound_of_evaluations(name, {})) << name;
    const auto folder = name + "/";
    for (const auto& batch : effects.batches)
      for (const auto& ask : batch.asks) EXPECT_EQ(ask.role.rfind(folder, 0), 0u) << ask.role;
  }
}

TEST(Registry, DescribesEverySetting) {
  for (const auto& name : strategy_names())
    for (const auto& spec : settings_of(name)) {
      EXPECT_FALSE(spec.help.empty()) << name << "." << spec.name;
      if (spec.default_value) {
        EXPECT_NO_THROW(make_strategy(name, {{spec.name, *spec.default_value}})) << name << "." << spec.name;
      }
    }
}

TEST(Registry, SettingsReachTheStrategy) {
  const Settings settings{
      {"rounds", std::int64_t{3}}, {"feedback", std::string("g")}, {"temperature", std::int64_t{1}}};
  testing::FakeEffects effects([](const Ask&, int, std::size_t) { return testing::correct("a", 1); });
  testing::run(make_strategy("iterative", settings)(effects, Brief{testing::any_task}));
  ASSERT_EQ(effects.batches.size(), 3u);
  EXPECT_EQ(testing::kinds(effects.batches[2].asks[0]), "source");
  EXPECT_EQ(effects.batches[2].asks[0].temperature, 1.0);
}

TEST(Registry, RefusesWhatItDoesNotKnowAndNamesTheNearest) {
  EXPECT_EQ(complaint([] { make_strategy("iteratve", {}); }),
            "unknown strategy \"iteratve\"; did you mean \"iterative\"?");
  EXPECT_EQ(complaint([] { make_strategy("geak", {{"candidate", std::int64_t{4}}}); }),
            "strategy geak: unknown setting \"candidate\"; did you mean \"candidates\"?");
  EXPECT_EQ(complaint([] { make_strategy("iterative", {{"feedback", std::string("g_e_q")}}); }),
            "strategy iterative: setting \"feedback\" has no choice \"g_e_q\"; did you mean \"g_e_p\"?");
  EXPECT_EQ(complaint([] { upper_bound_of_calls("iterative", {{"rounds", std::int64_t{0}}}); }),
            "strategy iterative: setting \"rounds\" is 0; it must be from 1 to 10000");
  EXPECT_EQ(
      complaint([] { make_strategy("best_of_n", {{"n", std::string("ten")}}); }),
      "strategy best_of_n: setting \"n\" is ten (text); it must be of type integer: independent attempts");
  EXPECT_EQ(
      complaint([] { make_strategy("geak", {{"rounds", 2.5}}); }).find("2.5 (real)") != std::string::npos,
      true);
}

TEST(Registry, ARealOutOfRangeOrNotANumberIsRefused) {
  for (const double value : {-0.1, 2.1, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(make_strategy("geak", {{"temperature", value}}), BadInput) << value;
}

/// Reads the flat form in which the presets are written; the real reader is strict and lives with the
/// campaigns.
TEST(Presets, EveryShippedPresetIsValid) {
  const std::vector<std::string> presets{
      "single_shot",  "best_of_n",       "iterative_g", "iterative_g_e", "iterative_g_e_p", "iterative_diff",
      "geak",         "geak_kbx",        "one_shot",    "kernelbench_G", "kernelbench_GE",  "kernelbench_GEP",
      "kernel_agent", "kernel_agent_kbx"};
  for (const auto& preset : presets) {
    std::ifstream file(std::string(RIDGELINE_SOURCE_DIR) + "/configs/strategies/" + preset + ".yaml");
    ASSERT_TRUE(file) << preset;
    std::string strategy, line;
    std::map<std::string, std::string> given;
    while (std::getline(file, line)) {
      const auto colon = line.find(": ");
      if (line.rfind("strategy: ", 0) == 0) strategy = line.substr(colon + 2);
      if (line.rfind("  ", 0) == 0) given[line.substr(2, colon - 2)] = line.substr(colon + 2);
    }
    Settings settings;
    for (const auto& spec : settings_of(strategy)) {
      const auto found = given.find(spec.name);
      if (found == given.end()) continue;
      if (spec.type == SettingType::integer) settings[spec.name] = std::int64_t{std::stoll(found->second)};
      if (spec.type == SettingType::real) settings[spec.name] = std::stod(found->second);
      if (spec.type == SettingType::boolean) settings[spec.name] = found->second == "true";
      if (spec.type == SettingType::text) settings[spec.name] = found->second;
      given.erase(found);
    }
    EXPECT_TRUE(given.empty()) << preset << " names " << (given.empty() ? "" : given.begin()->first);
    EXPECT_NO_THROW(make_strategy(strategy, settings)) << preset;
    if (preset == "kernel_agent_kbx") {
      EXPECT_EQ(upper_bound_of_calls(strategy, settings), 15);
    }
    if (preset == "geak_kbx") {
      EXPECT_EQ(upper_bound_of_evaluations(strategy, settings), 12);
    }
  }
}

}  // namespace
}  // namespace ridgeline::strategies
