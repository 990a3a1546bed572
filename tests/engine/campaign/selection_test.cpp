// What a campaign makes of a clone's files, with an oracle that says what the test wants.
#include "engine/campaign/selection.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/campaign/plan.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::campaign {
namespace {

namespace fs = std::filesystem;
using suites::kernelbench::CheckReport;
using suites::kernelbench::TaskFile;

CheckReport described(Standing standing, std::string reason = "") {
  CheckReport report;
  report.assessment = {standing, std::move(reason), {}};
  oracle::Description description;
  description.init_arguments = "[]";
  description.init_named = "{}";
  description.inputs = {oracle::TensorFact{"x", DType::float32, {4, 8}, oracle::Uniform{0, 1}}};
  description.outputs = {oracle::TensorFact{"output_0", DType::float32, {4}, {}}};
  report.description = std::move(description);
  return report;
}

class Selecting : public testing::Test {
 protected:
  Selecting() {
    fs::create_directories(folder_ / "level1");
    for (const char* name : {"1_sound", "2_nothing", "3_raises", "4_huge", "5_words"}) write(name, name);
    config_.name = "trial";
    config_.suite.kernelbench = folder_;
    config_.language = Language::torch;
    config_.strategies = {{"one", "single_shot", {}}};
    config_.models.resize(1);
    config_.models[0].name = "fake";
    config_.roles["generator"] = "fake";
  }
  ~Selecting() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / "level1" / (name + ".py")) << text;
  }

  CheckReport look(const TaskFile& file) {
    looked_at_.push_back(file.name);
    switch (file.number) {
      case 2:
        return described(Standing::degenerate, "passed by zeros");
      case 3:
        return {{Standing::broken, "ValueError: no", {}}, std::nullopt, 0, 0};
      case 4:
        return {{Standing::does_not_fit, "memory: needs 9 TiB", {}}, std::nullopt, 0, 0};
      case 5: {
        auto report = described(Standing::ok);
        report.description->inputs.emplace_back(oracle::PlainInput{"mode", "\"fast\""});
        return report;
      }
      default:
        return described(config_.suite.check ? Standing::ok : Standing::unchecked);
    }
  }

  Selection select() {
    looked_at_.clear();
    return import_suite(
        config_, known_, [this](const TaskFile& file) { return look(file); }, [](const std::string&) {});
  }
  void remember(const Selection& selection) {
    for (const auto& record : selection.suite) {
      std::optional<Task> task;
      for (const auto& one : selection.tasks)
        if (one.hash == record.task_hash) task = one;
      known_[record.file] = {record, task};
    }
  }

  fs::path folder_ = fs::temp_directory_path() / ("ridgeline-selection-" + std::to_string(getpid()));
  CampaignConfig config_;
  KnownFiles known_;
  std::vector<std::string> looked_at_;
};

TEST_F(Selecting, NoFileIsDroppedWithoutAReason) {
  const auto selection = select();
  ASSERT_EQ(selection.suite.size(), 5u);
  ASSERT_EQ(selection.tasks.size(), 2u);
  EXPECT_EQ(selection.tasks[0].name, "level1_1_sound");
  EXPECT_EQ(selection.tasks[1].name, "level1_2_nothing") << "degenerate: asked, and reported apart";
  EXPECT_EQ(selection.suite[0].task_hash, selection.tasks[0].hash);
  EXPECT_EQ(selection.suite[2].standing, Standing::broken);
  EXPECT_EQ(selection.suite[2].task_hash, "");
  EXPECT_EQ(selection.suite[4].standing, Standing::unsupported);
  EXPECT_NE(selection.suite[4].reason.find("forward's argument 'mode' is \"fast\""), std::string::npos);

  const auto page = describe(make_plan(config_, selection), config_);
  for (const char* line :
       {"suite: 5 files: 1 ok, 1 degenerate, 1 broken, 1 does_not_fit, 1 unsupported",
        "level1/2_nothing degenerate: passed by zeros", "level1/3_raises broken, not asked: ValueError: no",
        "level1/4_huge does_not_fit, not asked: memory: needs 9 TiB", "2 trajectories = 2 tasks"})
    EXPECT_NE(page.find(line), std::string::npos) << line << "\n" << page;
}

TEST_F(Selecting, WhatIsKnownIsNotAskedAgain) {
  remember(select());
  const auto again = select();
  EXPECT_EQ(looked_at_, (std::vector<std::string>{"3_raises", "4_huge", "5_words"}))
      << "there may be more memory now, or a module that was missing";
  EXPECT_EQ(again.tasks.size(), 2u);
  EXPECT_EQ(again.suite[2].reason, "ValueError: no");

  write("1_sound", "other text");
  select();
  EXPECT_EQ(looked_at_, (std::vector<std::string>{"1_sound", "3_raises", "4_huge", "5_words"}));
}

TEST_F(Selecting, AFileThatWasOnlyDescribedIsCheckedOnceThatIsWanted) {
  config_.suite.tasks = {"1_sound"};
  config_.suite.check = false;
  const auto first = select();
  EXPECT_EQ(first.suite[0].standing, Standing::unchecked);
  remember(first);
  select();
  EXPECT_TRUE(looked_at_.empty());
  config_.suite.check = true;
  EXPECT_EQ(select().suite[0].standing, Standing::ok);
  EXPECT_EQ(looked_at_.size(), 1u);
  EXPECT_EQ(select().tasks[0].hash, first.tasks[0].hash) << "a check changes no task";
}

TEST(LookingDevice, IsTheJudgesUnlessThatIsElsewhere) {
  WorkerChoice worker;
  worker.backend = "cuda";
  EXPECT_EQ(looking_device(worker), "cuda:0");
  worker.mailbox = "batches";
  EXPECT_EQ(looking_device(worker), "cpu");
  worker = {};
  worker.backend = "cpu";
  EXPECT_EQ(looking_device(worker), "cpu");
}

TEST_F(Selecting, ACampaignThatNobodyCouldAnswerSaysWhy) {
  config_.suite.tasks = {"3_raises", "4_huge"};
  try {
    make_plan(config_, select());
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("level1/3_raises broken, not asked: ValueError: no"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ridgeline::campaign
