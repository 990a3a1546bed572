#include "engine/campaign/branch.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "tests/engine/campaign/campaign_runs.hpp"

namespace ridgeline::campaign {
namespace {

/// Two trajectories of `best_of_n` (one step of four slots) and two of `iterative` (five steps of one).
class Branches : public CampaignRuns {
 protected:
  /// Changes the template of refinements and leaves that of first attempts.
  void change_refinements() {
    const auto folder = folder_ / "prompts" / "iterative";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "refine.md")
        << "# system\n\nYou repair.\n\n# user\n\n{{task}}\n\n{{source}}\n\n{{errors}}\n"
           "\n{{time}}\n\n{{roofline}}\n\n{{history}}\n\n{{answer}}\n";
    config_.prompts = folder_ / "prompts";
  }

  void set_rounds(std::int64_t rounds) {
    config_.strategies[1].settings["rounds"] = rounds;
    plan_ = make_plan(config_, {{a_task()}, {}});
  }

  Run forked(int answers = -1) {
    fork_ = true;
    auto seen = run(answers);
    fork_ = false;
    return seen;
  }

  std::vector<std::string> walk_in(const std::string& name) {
    const auto store = store::Store::open(config_.store, store::OpenMode::read_only);
    const store::Reader reader(store);
    std::vector<store::JournalEntry> entries;
    for (const auto& trajectory : reader.trajectories(reader.campaign(name)->id))
      for (auto& entry : store::load_journal(reader, trajectory.id)) entries.push_back(std::move(entry));
    return walk(entries);
  }

  std::map<std::string, int> kept(const Run& seen) {
    std::map<std::string, int> steps;
    for (const auto& trajectory : seen.trajectories)
      steps[trajectory.strategy + "/" + std::to_string(trajectory.seed)] = trajectory.kept_steps;
    return steps;
  }
};

TEST_F(Branches, KeepTheStepsBeforeTheFirstRequestThatChanged) {
  run();
  const auto before = walk_in("trial");
  change_refinements();
  const auto branch = forked();
  EXPECT_EQ(branch.error, "");
  EXPECT_EQ(branch.campaign.name, "trial.2");
  EXPECT_EQ(branch.log, "trial.2: a branch of trial that keeps 4 of its 12 recorded steps");
  EXPECT_EQ(kept(branch),
            (std::map<std::string, int>{{"best/0", 1}, {"best/1", 1}, {"chain/0", 1}, {"chain/1", 1}}));
  EXPECT_EQ(branch.calls, 2 * 4) << "each chain asks its last four rounds anew";
  for (const auto& trajectory : branch.trajectories) {
    EXPECT_EQ(trajectory.state, store::TrajectoryState::finished);
    EXPECT_NE(trajectory.origin, 0);
  }
  EXPECT_EQ(walk_in("trial"), before) << "the origin stays as it is";
  const auto after = walk_in("trial.2");
  EXPECT_EQ(after.size(), before.size());
  EXPECT_NE(after, before);
}

TEST_F(Branches, TakeOverTheCampaignsName) {
  run(13);  // ten first attempts and three refinements
  change_refinements();
  const auto begun = forked(2);
  EXPECT_EQ(begun.campaign.name, "trial.2");
  const auto rest = run();
  EXPECT_EQ(rest.error, "");
  EXPECT_EQ(rest.campaign.name, "trial.2");
  EXPECT_EQ(rest.totals.calls, 18);
  EXPECT_EQ(run().calls, 0);
  const auto again = forked();
  EXPECT_EQ(again.calls, 0);
  EXPECT_EQ(again.log, "") << "nothing differs: no second branch";
}

TEST_F(Branches, NameTheNewestBranchAsTheirOrigin) {
  run();
  change_refinements();
  const auto second = forked();
  config_.prompts.clear();
  const auto third = forked();
  EXPECT_EQ(third.campaign.name, "trial.3");
  EXPECT_EQ(third.campaign.origin, second.campaign.id);
  EXPECT_EQ(third.calls, 2 * 4);
  EXPECT_EQ(walk_in("trial.3"), walk_in("trial")) << "the fake model answers the same prompts alike";
}

TEST_F(Branches, KeepEveryStepWhereASettingOnlyAddsSteps) {
  run();
  set_rounds(7);
  const auto branch = forked();
  EXPECT_EQ(branch.error, "");
  EXPECT_EQ(kept(branch).at("chain/0"), 5);
  EXPECT_EQ(branch.calls, 2 * 2);
  EXPECT_EQ(branch.totals.calls, 2 * (4 + 7)) << "what was copied counts as spent";
}

TEST_F(Branches, DropStepsThatTheStrategyNoLongerMakes) {
  run();
  set_rounds(2);
  const auto branch = forked();
  EXPECT_EQ(kept(branch).at("chain/1"), 2);
  EXPECT_EQ(branch.calls, 0);
  EXPECT_EQ(branch.totals.calls, 2 * (4 + 2));
}

TEST_F(Branches, DropAStepIfOneOfItsSlotsIsNoLongerRequested) {
  run();
  config_.strategies[0].settings["n"] = std::int64_t{3};
  plan_ = make_plan(config_, {{a_task()}, {}});
  const auto branch = forked();
  EXPECT_EQ(kept(branch).at("best/0"), 0);
  EXPECT_EQ(kept(branch).at("chain/0"), 5);
  EXPECT_EQ(branch.calls, 2 * 3);
}

TEST_F(Branches, AreNotMadeWhereNothingIsRecorded) {
  fork_ = true;
  const auto fresh = run();
  EXPECT_EQ(fresh.campaign.name, "trial");
  EXPECT_EQ(fresh.calls, 18);
  config_.seeds = {0, 1, 2};
  plan_ = make_plan(config_, {{a_task()}, {}});
  const auto more = run();
  EXPECT_EQ(more.campaign.name, "trial");
  EXPECT_EQ(more.calls, 9);
}

TEST_F(Branches, ReportABrokenTemplateBeforeAnythingIsWritten) {
  run(5);
  change_refinements();
  std::ofstream(folder_ / "prompts" / "iterative" / "generate.md")
      << "# user\n\n{{task}} {{no_such_thing}}\n";
  EXPECT_THROW(forked(), BadInput);
  const auto store = store::Store::open(config_.store, store::OpenMode::read_only);
  EXPECT_EQ(store::Reader(store).campaigns().size(), 1u);
}

}  // namespace
}  // namespace ridgeline::campaign
