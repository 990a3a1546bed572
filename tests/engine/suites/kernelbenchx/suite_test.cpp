// A clone of KernelBench-X through the port for suites: what needs no Python.
#include "engine/suites/kernelbenchx/suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/suites/kernelbenchx/check_report.hpp"
#include "tests/engine/suites/kernelbenchx/small_clone.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<Suite> opened() {
  return kind().open(small_clone_root(), {});
}

std::unique_ptr<Suite> read_map(const std::string& rest) {
  const auto text = "{kernelbenchx: " + small_clone_root() + rest + "}";
  return kind().read(yaml::Document::from_text(text, "trial.yaml").root().map("suite"));
}

TEST(KernelBenchXSuite, ListsEveryFileAndMarksThoseOutsideTheMetadata) {
  const auto suite = opened();
  const auto listed = suite->list();
  ASSERT_EQ(listed.size(), 4U);
  EXPECT_EQ(listed[0].file, "Activation/half_relu");
  EXPECT_EQ(listed[0].name, "Activation_half_relu");
  EXPECT_EQ(listed[0].category, "Activation");
  const auto listing = suite->listing();
  EXPECT_THAT(listing.rows[1],
              ElementsAre("Optimizer/Halving", "4", "halving_step", HasSubstr("Steps down")));
  EXPECT_THAT(listing.rows[3], ElementsAre("Math/twice_fp16", "-", "twice_fp16", "outside the metadata"));
  EXPECT_THAT(listing.footer, HasSubstr("3 tasks in "));
  EXPECT_THAT(listing.footer, HasSubstr("and 1 outside the metadata"));
  EXPECT_EQ(listing.documents[3].at("in_metadata"), false);
  EXPECT_EQ(listing.documents[2].at("quantization").at("gates").at("cosine"), 0.95);
  EXPECT_FALSE(listing.documents[0].contains("example")) << "it may hold the solution";
}

TEST(KernelBenchXSuite, ShowsAFileByteForByte) {
  const auto shown = opened()->show("half_relu");
  const auto& files = std::get<std::vector<SourceFile>>(shown);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_THAT(files[0].text, HasSubstr("SLOPE = 0.5"));
  EXPECT_THAT(files[0].text, HasSubstr("\n" + std::string(separator_length, '#') + "\n"));
  EXPECT_EQ(files[0].document.at("text"), files[0].text);
}

TEST(KernelBenchXSuite, ReadsTheTasksThatACampaignChose) {
  const auto suite = read_map(", tasks: [half_relu, 'Optimizer/*'], check: false");
  EXPECT_EQ(suite->list().size(), 2U);
  EXPECT_TRUE(suite->only_describes());
  EXPECT_FALSE(read_map("")->only_describes());
  EXPECT_THROW(read_map(", tasks: [no_such]"), BadInput);
  EXPECT_THROW(read_map(", levels: [1]"), BadInput) << "a key of another suite";
}

TEST(KernelBenchXSuite, IsProvenByItselfAndAnsweredInTriton) {
  EXPECT_EQ(opened()->proof(), Proof::suite);
  EXPECT_TRUE(opened()->profile().permits(Language::triton));
}

TEST(KernelBenchXSuite, RefusesANameThatMeansSeveralTasks) {
  try {
    opened()->find("*");
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("'*' means 4 tasks of kernelbenchx:"));
  }
}

TEST(KernelBenchXSuite, NeedsWhatItsTestsImport) {
  const auto root = copied_clone("support");
  std::filesystem::remove_all(root / "utils");
  EXPECT_THROW(kind().open(root.string(), {}), BadInput);
}

TEST(CheckCounts, SeparateWhatLiesOutsideTheMetadata) {
  const auto clone = open_clone(small_clone_root());
  CheckCounts counts;
  Examined judged, refused, unfit;
  refused.decision.refusal = Refusal::random;
  unfit.decision.refusal = Refusal::does_not_fit;
  counts.add(clone.tasks[0], judged);
  counts.add(clone.tasks[3], judged);
  EXPECT_EQ(counts.summary().status, 0);
  EXPECT_EQ(counts.summary().text, "1 can be judged; outside the metadata: 1 can be judged");
  counts.add(clone.tasks[1], unfit);
  EXPECT_EQ(counts.summary().status, 3);
  counts.add(clone.tasks[2], refused);
  const auto summary = counts.summary();
  EXPECT_EQ(summary.status, 1);
  EXPECT_EQ(summary.text, "1 can be judged, 1 random, 1 does_not_fit; outside the metadata: 1 can be judged");
  EXPECT_EQ(summary.members.at("counts").at("in_metadata").at("random"), 1);
}

}  // namespace
}  // namespace ridgeline::suites::kernelbenchx
