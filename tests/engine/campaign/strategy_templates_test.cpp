// A strategy with a folder of prompts asks in its own words, over those of its campaign, and its trajectories
// are others than those without.
#include "engine/campaign/strategy_templates.hpp"

#include <gtest/gtest.h>

#include "tests/engine/campaign/campaign_runs.hpp"
#include "tests/engine/campaign/config_files.hpp"

namespace ridgeline::campaign {
namespace {

/// `best_of_n` and `iterative` on one task (CampaignRuns), whose generating templates can be replaced.
class StrategyPrompts : public CampaignRuns {
 protected:
  std::string folder_with(const std::string& name, const std::string& strategy, const std::string& words) {
    const auto folder = folder_ / name / strategy;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "generate.md") << "# system\n\n"
                                          << words << "\n\n# user\n\n{{task}}\n\n{{answer}}\n";
    return folder_ / name;
  }
  static std::size_t asked_with(const Run& seen, const std::string& words) {
    return static_cast<std::size_t>(std::ranges::count_if(seen.requests, [&](const auto& request) {
      return request.messages.front().content.find(words) != std::string::npos;
    }));
  }
};

TEST_F(StrategyPrompts, ItsFilesComeOverTheCampaigns) {
  config_.prompts = folder_with("all", "best_of_n", "Of the campaign.");
  config_.strategies.push_back(config_.strategies[0]);
  config_.strategies.back().label = "own";
  config_.strategies.back().prompts = folder_with("own", "best_of_n", "Of the strategy.");
  plan_ = make_plan(config_, {{a_task()}, {}});
  const auto seen = run();
  EXPECT_EQ(seen.error, "");
  EXPECT_EQ(asked_with(seen, "Of the campaign."), 2 * 4u);
  EXPECT_EQ(asked_with(seen, "Of the strategy."), 2 * 4u);
  EXPECT_EQ(run().calls, 0) << "all is known";
}

TEST_F(StrategyPrompts, TheyArePartOfTheIdentityOfItsTrajectoriesAlone) {
  const StrategyTemplates common(config_);
  const Conditions before{common.hash(), "", {}, {}, model_documents(config_), common.own_hashes()};
  EXPECT_TRUE(before.own_prompts.empty());
  auto changed = config_;
  changed.strategies[0].prompts = folder_with("own", "best_of_n", "Of the strategy.");
  const StrategyTemplates own(changed);
  const Conditions now{own.hash(), "", {}, {}, model_documents(changed), own.own_hashes()};
  EXPECT_EQ(own.hash(), common.hash()) << "the campaign's own set is the same";
  for (const auto& planned : plan_.trajectories) {
    const auto differing =
        differences(identity_of(planned, plan_, config_, before), identity_of(planned, plan_, changed, now));
    if (planned.strategy == 0) {
      ASSERT_EQ(differing.size(), 1u);
      EXPECT_EQ(differing[0].path, "prompts");
    } else {
      EXPECT_TRUE(differing.empty());
    }
  }
}

class StrategyPromptsRead : public ConfigReader {};

TEST_F(StrategyPromptsRead, TheFolderIsBesideTheFile) {
  const auto config = read(with(good, "label: chain", "label: chain\n    prompts: words"));
  EXPECT_EQ(config.strategies[0].prompts, "");
  EXPECT_EQ(config.strategies[1].prompts, (folder_ / "words").string());
}

TEST_F(StrategyPromptsRead, AWrongFolderOrFileNamesTheStrategy) {
  const auto config = read(with(good, "label: chain", "label: chain\n    prompts: words"));
  const auto problem = [&] {
    try {
      StrategyTemplates templates(config);
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(problem().find("prompts of the strategy 'chain': "), std::string::npos) << problem();
  EXPECT_NE(problem().find("there is no such folder"), std::string::npos) << problem();
  std::filesystem::create_directories(folder_ / "words" / "iterative");
  std::ofstream(folder_ / "words" / "iterative" / "genrate.md") << "# user\n{{task}}\n";
  EXPECT_NE(problem().find("did you mean \"iterative/generate\""), std::string::npos) << problem();
}

}  // namespace
}  // namespace ridgeline::campaign
