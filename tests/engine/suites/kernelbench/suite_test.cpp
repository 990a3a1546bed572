// A clone of KernelBench through the port for suites: what needs no Python.
#include "engine/suites/kernelbench/suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/suites/kernelbench/settings.hpp"
#include "tests/engine/suites/kernelbench/small_clone.hpp"

namespace ridgeline::suites::kernelbench {
namespace {

using testing::HasSubstr;

std::unique_ptr<Suite> opened(const OptionValues& options = {}) {
  return kind().open(clone_root(), options);
}

std::unique_ptr<Suite> read_map(const std::string& rest) {
  const auto text = "{kernelbench: " + clone_root() + rest + "}";
  return kind().read(yaml::Document::from_text(text, "trial.yaml").root().map("suite"));
}

TEST(KernelBenchSuite, ListsTheLevelsThatAreAskedFor) {
  const auto listed = opened({{"--levels", "2"}})->list();
  ASSERT_FALSE(listed.empty());
  EXPECT_EQ(listed.front().file, "level2/1_dropout");
  EXPECT_EQ(listed.front().name, "level2_1_dropout");
  EXPECT_EQ(listed.front().category, "level2");
  EXPECT_EQ(opened()->proof(), Proof::suite);
}

TEST(KernelBenchSuite, ListsTheTasksThatACampaignChose) {
  const auto suite = read_map(", levels: [1], tasks: ['level1/7', 3_labels], check: false");
  ASSERT_EQ(suite->list().size(), 2u);
  EXPECT_TRUE(suite->only_describes());
  EXPECT_FALSE(read_map("")->only_describes());
  EXPECT_THROW(read_map(", tasks: [no_such]"), BadInput);
}

TEST(KernelBenchSuite, ShowsEachFileThatANameMeans) {
  const auto shown = opened()->show("level1/*_l*");
  const auto& files = std::get<std::vector<SourceFile>>(shown);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1].document.at("name"), "level1/3_labels");
  EXPECT_EQ(files[1].document.at("text"), files[1].text);
}

TEST(KernelBenchSuite, TakesTheNameThatItPrints) {
  const auto suite = opened({{"--precision", "bf16"}});
  const auto printed = suite->listing().rows.at(0).at(0);
  EXPECT_EQ(printed, "level1/1_statistics bf16");
  EXPECT_EQ(suite->find(printed).name, "level1_1_statistics_bf16");
  EXPECT_EQ(suite->find("1_statistics").name, "level1_1_statistics_bf16");
  EXPECT_EQ(std::get<std::vector<SourceFile>>(suite->show(printed)).size(), 1u);
  const auto chosen = read_map(", precision: bf16, tasks: ['level1/3_labels bf16']");
  EXPECT_EQ(chosen->list().at(0).file, "level1/3_labels bf16");
  EXPECT_THROW(opened()->find(printed), BadInput) << "another task";
}

TEST(KernelBenchSuite, RefusesANameThatMeansSeveralTasks) {
  try {
    opened()->find("level1/*");
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("means 10 tasks of kernelbench:"));
  }
}

TEST(KernelBenchSuite, RefusesATimeThatIsNoNumberOfSeconds) {
  for (const char* text : {"soon", "-1", "3x", "inf", "nan"})
    EXPECT_THROW(settings_from("there", {{"--timeout", text}}), BadInput) << text;
  EXPECT_EQ(settings_from("there", {{"--timeout", "2.5"}}).timeout, 2.5);
  EXPECT_EQ(settings_from("there", {{"--device-memory", "24GiB"}}).device_memory, 24ULL << 30);
  for (const auto* text : {"24", "0GiB", "much"})
    EXPECT_THROW(settings_from("there", {{"--device-memory", text}}), BadInput) << text;
}

}  // namespace
}  // namespace ridgeline::suites::kernelbench
