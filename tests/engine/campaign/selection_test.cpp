// Selects tasks from files that a suite examines, with a fake suite whose findings the test sets.
#include "engine/campaign/selection.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "engine/campaign/plan.hpp"
#include "engine/core/error.hpp"
#include "tests/engine/suites/table_suite.hpp"

namespace ridgeline::campaign {
namespace {

using suites::TableRow;
using suites::TableSuite;

class Selecting : public testing::Test {
 protected:
  Selecting() {
    config_.name = "trial";
    config_.suite = suite_;
    config_.strategies = {{"one", "single_shot", {}}};
    config_.models.resize(1);
    config_.models[0].name = "fake";
    config_.roles["generator"] = "fake";
  }

  Selection select() {
    suite_->examined.clear();
    return examine_suite(config_, known_, [](const std::string&) {});
  }
  void remember(const Selection& selection) {
    for (const auto& record : selection.suite) {
      std::optional<Task> task;
      for (const auto& kept : selection.tasks)
        if (kept.hash == record.task_hash) task = kept;
      known_[record.file] = {record, task};
    }
  }

  std::shared_ptr<TableSuite> suite_ = std::make_shared<TableSuite>(
      std::vector<TableRow>{{"sound", "text 1"},
                            {"nothing", "text 2", Standing::degenerate, "passed by zeros"},
                            {"raises", "text 3", Standing::broken, "ValueError: no"},
                            {"huge", "text 4", Standing::does_not_fit, "memory: needs 9 TiB"},
                            {"words", "text 5", Standing::unsupported, "an argument is \"fast\""}});
  CampaignConfig config_;
  KnownFiles known_;
};

TEST_F(Selecting, GivesAReasonForEveryFileThatBecomesNoTask) {
  const auto selection = select();
  ASSERT_EQ(selection.suite.size(), 5u);
  ASSERT_EQ(selection.tasks.size(), 2u);
  EXPECT_EQ(selection.tasks[0].name, "sound");
  EXPECT_EQ(selection.tasks[1].name, "nothing") << "degenerate: asked, and reported apart";
  EXPECT_EQ(selection.suite[0].task_hash, selection.tasks[0].hash);
  EXPECT_EQ(selection.suite[2].standing, Standing::broken);
  EXPECT_EQ(selection.suite[2].task_hash, "");
  EXPECT_EQ(selection.suite[4].standing, Standing::unsupported);
  EXPECT_NE(selection.suite[4].reason.find("an argument is \"fast\""), std::string::npos);

  const auto page = describe(make_plan(config_, selection), config_);
  for (const char* line :
       {"suite: 5 files: 1 ok, 1 degenerate, 1 broken, 1 does_not_fit, 1 unsupported",
        "page1/nothing degenerate: passed by zeros", "page1/raises broken, not asked: ValueError: no",
        "page1/huge does_not_fit, not asked: memory: needs 9 TiB", "2 trajectories = 2 tasks"})
    EXPECT_NE(page.find(line), std::string::npos) << line << "\n" << page;
}

TEST_F(Selecting, EndsTheSuitesProcessesBeforeTheCampaignRuns) {
  select();
  EXPECT_EQ(suite_->examined.size(), 5u);
  EXPECT_FALSE(suite_->processes_run);
  suite_->rows.push_back({"unread", "text 6"});
  EXPECT_THROW(examine_suite(config_, known_, [](const std::string&) { throw BadInput("the log is full"); }),
               BadInput);
  EXPECT_FALSE(suite_->processes_run) << "also where it ended early";
}

TEST_F(Selecting, ReusesWhatIsKnown) {
  remember(select());
  const auto again = select();
  EXPECT_EQ(suite_->examined, (std::vector<std::string>{"raises", "huge", "words"}))
      << "there may be more memory now, or a module that was missing";
  EXPECT_EQ(again.tasks.size(), 2u);
  EXPECT_EQ(again.suite[2].reason, "ValueError: no");

  suite_->rows[0].text = "other text";
  select();
  EXPECT_EQ(suite_->examined, (std::vector<std::string>{"sound", "raises", "huge", "words"}));
}

TEST_F(Selecting, ChecksAFileThatWasOnlyDescribedOnceChecksAreWanted) {
  suite_->rows.resize(1);
  suite_->describes = true;
  const auto first = select();
  EXPECT_EQ(first.suite[0].standing, Standing::unchecked);
  remember(first);
  select();
  EXPECT_TRUE(suite_->examined.empty());
  suite_->describes = false;
  EXPECT_EQ(select().suite[0].standing, Standing::ok);
  EXPECT_EQ(suite_->examined.size(), 1u);
  EXPECT_EQ(select().tasks[0].hash, first.tasks[0].hash) << "a check changes no task";
}

TEST(ExaminingDevice, IsTheJudgingDeviceUnlessAMailboxHidesIt) {
  WorkerChoice worker;
  worker.backend = "cuda";
  EXPECT_EQ(examining_device(worker), "cuda:0");
  worker.mailbox = "batches";
  EXPECT_EQ(examining_device(worker), "cpu");
  worker = {};
  worker.backend = "cpu";
  EXPECT_EQ(examining_device(worker), "cpu");
}

TEST_F(Selecting, ACampaignWithoutAJudgeableTaskSaysWhy) {
  suite_->rows = {suite_->rows[2], suite_->rows[3]};
  try {
    make_plan(config_, select());
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("page1/raises broken, not asked: ValueError: no"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ridgeline::campaign
