// A suite that no file outside of tests/engine/suites names: listed, shown, described, checked and planned by
// the commands and campaigns as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/campaign/config_reader.hpp"
#include "engine/campaign/plan.hpp"
#include "engine/cli/commands.hpp"
#include "engine/core/error.hpp"
#include "engine/suites/registry.hpp"
#include "tests/engine/cli/program.hpp"
#include "tests/engine/suites/table_suite.hpp"

namespace ridgeline::cli {
namespace {

using testing::HasSubstr;

/// The commands in this process, where the suite is registered.
class ThirdSuite : public testing::Test {
 protected:
  std::string tasks(const std::string& words) {
    CLI::App app;
    exit_ = {};
    add_tasks_command(app, exit_);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
      app.parse("tasks " + words);
    } catch (...) {
      testing::internal::GetCapturedStdout();
      testing::internal::GetCapturedStderr();
      throw;
    }
    testing::internal::GetCapturedStderr();
    return testing::internal::GetCapturedStdout();
  }

  suites::TableKind kind_;
  suites::Registration registration_{kind_};
  Exit exit_;
};

TEST_F(ThirdSuite, IsListedForPeopleAndForPrograms) {
  EXPECT_EQ(tasks("list --suite table:two"), "task    page\nfirst   1\nsecond  1\na table\n");
  const auto document = nlohmann::json::parse(tasks("list --suite table:two --json"));
  EXPECT_EQ(document.at("suite"), "table");
  EXPECT_EQ(document.at("tasks").at(1), (nlohmann::json{{"name", "second"}, {"page", 1}}));
}

TEST_F(ThirdSuite, ShowsATaskAndItsStub) {
  EXPECT_THAT(tasks("show --suite table:two second"), HasSubstr("second (small, difficulty 1)"));
  EXPECT_THAT(tasks("show --suite table:two second --stub cpp"), HasSubstr("kernel_second("));
}

TEST_F(ThirdSuite, IsCheckedByItsOwnRule) {
  const auto text = tasks("check --suite table:two");
  EXPECT_EQ(text, "first ok\nsecond degenerate\nevery row was read\n");
  EXPECT_EQ(exit_.code, 1);
}

TEST_F(ThirdSuite, HasOptionsOfItsOwnThatOtherSuitesRefuse) {
  EXPECT_THAT(tasks("list --suite table:two --page 1"), HasSubstr("first"));
  EXPECT_THROW(tasks("list --page 1"), BadInput);
}

TEST_F(ThirdSuite, IsPlannedByACampaignThatNamesIt) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("ridgeline-third-suite-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto campaign = [](const std::string& table) {
    return "suite: {table: " + table +
           "}\nstrategies:\n  - strategy: single_shot\nmodels:\n  generator: {provider: mailbox, path: "
           "box}\n";
  };
  write_file(folder / "third.yaml", campaign("two"));
  write_file(folder / "wrong.yaml", campaign("none"));
  const auto config = campaign::read_campaign(folder / "third.yaml");
  EXPECT_EQ(config.language, Language::cpp) << "the suite's own";
  auto selection = campaign::select_tasks(config, [](const std::string&) {});
  ASSERT_EQ(selection.suite.size(), 2u);
  EXPECT_EQ(selection.suite[1].standing, Standing::degenerate);
  const auto page = campaign::describe(campaign::make_plan(config, std::move(selection)), config);
  EXPECT_THAT(page, HasSubstr("tasks: first second\nsuite: 2 files: 1 ok, 1 degenerate\n"));
  EXPECT_THAT(page, HasSubstr("page1/second degenerate: passed by zeros"));
  try {
    campaign::read_campaign(folder / "wrong.yaml");
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("wrong.yaml:1:16: table:none: there is no such table"));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ridgeline::cli
