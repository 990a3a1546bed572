// What makes a row of a comparison, and how rows are named.
#include "engine/compare/labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compare/compare.hpp"
#include "engine/store/records.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

const std::string prompts_hash(64, 'a');

SharedSettings settings(const Settings& changed = {}) {
  Settings all{{"strategy.name", R"("best_of_n")"},   {"strategy.settings.n", "6"},
               {"models.generator.id", R"("model")"}, {"models.generator.endpoints", R"(["http://one"])"},
               {"prompts", '"' + prompts_hash + '"'}, {"worker.timing_cap_seconds", "0.06"},
               {"budget.per_trajectory.calls", "6"}};
  for (const auto& [path, value] : changed) all[path] = value;
  return std::make_shared<const Settings>(all);
}

ComparedTrajectory under(SharedSettings chosen, const std::string& strategy = "best",
                         const std::string& task = "t") {
  auto made = trajectory(strategy, task, {correct(2)});
  made.settings = std::move(chosen);
  return made;
}

std::vector<std::string> labels(const Comparison& comparison) {
  std::vector<std::string> all;
  for (const auto& row : comparison.strategies) all.push_back(row.label);
  return all;
}

using Labels = std::vector<std::string>;

TEST(Rows, EqualSettingsAreOneRowWithAPlainLabel) {
  const auto comparison = compare({under(settings()), under(settings(), "best", "u")}, {});
  EXPECT_EQ(labels(comparison), Labels{"best"});
  EXPECT_TRUE(comparison.differences.empty());
}

TEST(Rows, OneNameWithTwoSettingsIsTwoRowsThatSaySo) {
  const auto comparison = compare({under(settings()), under(settings({{"strategy.settings.n", "10"}}))}, {});
  EXPECT_EQ(labels(comparison), (Labels{"best · n 6", "best · n 10"}));
  ASSERT_EQ(comparison.differences.size(), 1u);
  EXPECT_EQ(comparison.differences[0].path, "strategy.settings.n");
  EXPECT_EQ(comparison.differences[0].values, (Labels{"6", "10"}));
}

TEST(Rows, DifferAlsoByEndpointTemperaturePromptsEvaluationAndBudget) {
  for (const auto& [path, value, label] :
       {std::tuple{"models.generator.endpoints", R"(["http://two"])", R"(best · endpoints ["http://two"])"},
        std::tuple{"models.generator.temperature", "0.4", "best · temperature 0.4"},
        std::tuple{"models.critic.temperature", "0.4", "best · critic temperature 0.4"},
        std::tuple{"prompts", R"("another")", "best · prompts another"},
        std::tuple{"worker.timing_cap_seconds", "1.0", "best · timing_cap_seconds 1.0"},
        std::tuple{"budget.per_trajectory.calls", "10", "best · calls 10"}}) {
    const auto comparison = compare({under(settings()), under(settings({{path, value}}))}, {});
    ASSERT_EQ(comparison.strategies.size(), 2u) << path;
    EXPECT_EQ(comparison.strategies[1].label, label);
    EXPECT_NE(comparison.strategies[0].label, label);
  }
}

TEST(Rows, ShortenHashesAndCountWhatDoesNotFit) {
  const auto comparison =
      compare({under(settings()), under(settings({{"prompts", '"' + std::string(64, 'b') + '"'},
                                                  {"budget.per_trajectory.calls", "9"},
                                                  {"worker.timing_cap_seconds", "1.0"}}))},
              {});
  EXPECT_EQ(labels(comparison), (Labels{"best · calls 6 · prompts aaaaaaaa · +1 more",
                                        "best · calls 9 · prompts bbbbbbbb · +1 more"}));
  EXPECT_EQ(comparison.differences.size(), 3u) << "the table has all";
}

TEST(Rows, ALabelIsNeverThereTwice) {
  const auto long_text = std::string(60, 'x');
  const auto comparison = compare({under(settings({{"worker.flags", '"' + long_text + "1\""}})),
                                   under(settings({{"worker.flags", '"' + long_text + "2\""}}))},
                                  {});
  ASSERT_EQ(comparison.strategies.size(), 2u);
  EXPECT_NE(comparison.strategies[0].label, comparison.strategies[1].label);
}

TEST(Rows, WhatIsAStrategysOwnIsNoDifferenceBetweenTwoStrategies) {
  const auto comparison =
      compare({under(settings()), under(settings({{"strategy.settings.rounds", "6"}}), "loop")}, {});
  EXPECT_EQ(labels(comparison), (Labels{"best", "loop"}));
  EXPECT_TRUE(comparison.contrasts.at(0).also_differ.empty());
}

TEST(Rows, StrategiesUnderDifferentConditionsAreComparedAndTheConditionsNamed) {
  const auto comparison = compare(
      {under(settings()), under(settings({{"prompts", R"("another")"}, {"worker.x", "1"}}), "loop")}, {});
  EXPECT_EQ(comparison.contrasts.at(0).also_differ, (std::vector{Part::prompts, Part::evaluation}));
  EXPECT_NE(comparison.conclusion.sentence.find("they differ in prompts, evaluation too"), std::string::npos)
      << comparison.conclusion.sentence;
}

TEST(Rows, AreGroupedByTheChosenPartsAndWhatTheyPoolIsNoted) {
  const std::vector trajectories{under(settings()), under(settings({{"strategy.settings.n", "10"}})),
                                 under(settings({{"prompts", R"("another")"}}))};
  CompareOptions options;
  options.group_by = {Part::strategy};
  const auto pooled = compare(trajectories, options);
  EXPECT_EQ(labels(pooled), Labels{"best"});
  EXPECT_EQ(pooled.strategies[0].trajectories, 3);
  EXPECT_NE(std::find(pooled.notes.begin(), pooled.notes.end(),
                      "best pools trajectories that differ in settings, prompts"),
            pooled.notes.end());
  options.group_by = {Part::strategy, Part::prompts};
  EXPECT_EQ(labels(compare(trajectories, options)),
            (Labels{"best · prompts aaaaaaaa", "best · prompts another"}));
  options.group_by = {Part::campaign};
  auto by_campaign = trajectories;
  by_campaign[0].campaign = "one";
  by_campaign[1].campaign = by_campaign[2].campaign = "two";
  EXPECT_EQ(labels(compare(by_campaign, options)), (Labels{"one", "two"}));
}

TEST(Rows, OfAChangeEachStrategyIsComparedWithItselfBeforeIt) {
  std::vector trajectories{under(settings()), under(settings(), "loop"), under(settings()),
                           under(settings(), "loop")};
  trajectories[0].side = trajectories[1].side = "after";
  trajectories[2].side = trajectories[3].side = "before";
  const auto comparison = compare(trajectories, {});
  EXPECT_EQ(labels(comparison), (Labels{"best · after", "loop · after", "best · before", "loop · before"}));
  ASSERT_EQ(comparison.contrasts.size(), 2u);
  EXPECT_EQ(comparison.contrasts[0].first, 0u);
  EXPECT_EQ(comparison.contrasts[0].second, 2u);
  EXPECT_EQ(comparison.contrasts[1].first, 1u);
  EXPECT_EQ(comparison.contrasts[1].second, 3u);
}

TEST(Rows, OfAChangeOneStrategyUnderTwoModelsIsComparedUnderTheSameModel) {
  std::vector<ComparedTrajectory> trajectories;
  for (const std::string side : {"after", "before"})
    for (const std::string model : {"small", "large"}) {
      trajectories.push_back(under(settings({{"models.generator.id", '"' + model + '"'}})));
      trajectories.back().model = model;
      trajectories.back().side = side;
    }
  const auto comparison = compare(trajectories, {});
  ASSERT_EQ(comparison.contrasts.size(), 2u);
  for (const auto& contrast : comparison.contrasts)
    EXPECT_EQ(comparison.strategies[contrast.first].identity.model,
              comparison.strategies[contrast.second].identity.model);
}

TEST(Rows, AChangeOfTheModelIsComparedByTheStrategy) {
  auto after = under(settings({{"models.generator.id", "\"new\""}})), before = under(settings());
  after.model = "new";
  after.side = "after";
  before.side = "before";
  EXPECT_EQ(compare({after, before}, {}).contrasts.size(), 1u);
}

TEST(SettingsReader, TakesAllOfAnIdentityButTaskAndSeedAndKeepsItOnce) {
  store::TrajectoryRecord one;
  one.identity =
      R"({"task":"a","seed":1,"strategy":{"name":"geak","settings":{}},"models":{"generator":{"id":"m"}}})";
  auto other = one;
  other.identity =
      R"({"task":"b","seed":2,"strategy":{"name":"geak","settings":{}},"models":{"generator":{"id":"m"}}})";
  SettingsReader reader;
  const auto read = reader.read(one, "");
  EXPECT_EQ(*read, (Settings{{"strategy.name", R"("geak")"},
                             {"strategy.settings", "{}"},
                             {"models.generator.id", R"("m")"}}));
  EXPECT_EQ(reader.read(other, ""), read);
}

TEST(SettingsReader, ReadsARecordThatHasNoIdentity) {
  store::TrajectoryRecord record;
  record.strategy_json = R"({"strategy":"iterative","settings":{"rounds":3}})";
  SettingsReader reader;
  EXPECT_EQ(reader.read(record, "hash")->at("strategy.settings.rounds"), "3");
  EXPECT_EQ(reader.read(record, "hash")->at("prompts"), R"("hash")");
}

}  // namespace
}  // namespace ridgeline::compare
