// Tasks in Ridgeline's own format, through the port for suites.
#include "engine/suites/native/suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "engine/core/error.hpp"
#include "engine/suites/native/proof_report.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::suites::native {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string folder = RIDGELINE_SOURCE_DIR "/benchmark_tasks";

TEST(NativeSuite, ListsWhatTheFilterChooses) {
  const auto suite = open_folder(folder, {.names = {"softmax", "layer_norm"}});
  const auto listed = suite->list();
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[1].name, "softmax");
  EXPECT_EQ(listed[1].path.filename(), "softmax.yaml");
  const auto listing = suite->listing();
  EXPECT_EQ(listing.rows.size(), 2u);
  EXPECT_EQ(listing.documents.at(1).at("hash"), suite->describe("softmax", "")->hash);
  EXPECT_THAT(listing.footer, StartsWith("2 tasks in "));
}

TEST(NativeSuite, DescribesATaskForOneDeviceOrForAll) {
  const auto suite = open_folder(folder, {});
  const auto whole = suite->describe("softmax", "");
  EXPECT_EQ(suite->describe("softmax", "").get(), whole.get()) << "no copy a request";
  const auto on_cpu = suite->describe("softmax", "cpu");
  EXPECT_LT(on_cpu->cases.size(), whole->cases.size());
  EXPECT_THROW(suite->describe("sofmax", "cpu"), BadInput);
}

TEST(NativeSuite, ReadsTheFolderOfACampaignOnce) {
  namespace fs = std::filesystem;
  const auto copy = fs::temp_directory_path() / ("ridgeline-native-" + std::to_string(::getpid()));
  fs::create_directories(copy / "Math");
  fs::copy_file(fs::path(folder) / "Math/softmax.yaml", copy / "Math" / "softmax.yaml");
  const auto document = yaml::Document::from_text("path: " + copy.string(), "trial.yaml");
  const auto suite = kind().read(document.root().map("suite"));
  fs::remove_all(copy);  // what is read from here on would fail
  EXPECT_EQ(suite->list().size(), 1u);
  EXPECT_EQ(suite->describe("softmax", "")->name, "softmax");
}

TEST(NativeSuite, HasAWorkerProveOnlyAFolderOfTheUsers) {
  EXPECT_EQ(open_folder("", {})->proof(), Proof::shipped);
  EXPECT_EQ(open_folder(folder, {})->proof(), Proof::worker);
}

TEST(NativeSuite, HasAWorkerProveTheTasksThatNamesMean) {
  const auto suite = open_folder(folder, {});
  std::vector<std::string> proven, documents;
  const auto prove = [&](const std::vector<Task>& tasks, const OnProof& hear) {
    for (const auto& task : tasks) {
      proven.push_back(task.name);
      hear(task, protocol::Checked{"", {{"reference", task.name != "softmax", "reference:2:3: wrong"}}});
    }
  };
  const auto summary = suite->check({"softmax", "layer_norm"}, prove, [&](const CheckedTask& checked) {
    EXPECT_EQ(checked.total, 2u);
    documents.push_back(checked.document.at("task"));
  });
  EXPECT_EQ(proven, (std::vector<std::string>{"softmax", "layer_norm"}));
  EXPECT_EQ(documents, proven);
  EXPECT_EQ(summary.status, 2);
  EXPECT_THAT(summary.error, HasSubstr("softmax.yaml"));
}

TEST(ProofReport, AnUnsoundTaskDecidesTheStatusBeforeAMachineThatFailed) {
  const std::vector<Task> tasks(3);
  ProofReport report(tasks, {"a.yaml", "b.yaml", "c.yaml"});
  report.take(tasks[0], protocol::Failed{"", protocol::Failure::machine_cannot, "no judge"});
  EXPECT_EQ(report.summary().status, 3);
  report.take(tasks[1], protocol::Failed{"", protocol::Failure::bad_request, "no sense"});
  report.take(tasks[2], protocol::Failed{"", protocol::Failure::bad_request, "none either"});
  EXPECT_EQ(report.summary().status, 2);
  EXPECT_THAT(report.summary().error, HasSubstr("no sense; and 1 more tasks"));
}

}  // namespace
}  // namespace ridgeline::suites::native
