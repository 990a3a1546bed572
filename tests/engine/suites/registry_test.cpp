// Which suite a command or a campaign means.
#include "engine/suites/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "tests/engine/suites/table_suite.hpp"

namespace ridgeline::suites {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string clone =
    std::string("kernelbench:") + RIDGELINE_SOURCE_DIR + "/tests/engine/suites/kernelbench/clone";
const std::string functions =
    std::string("kernelbenchx:") + RIDGELINE_SOURCE_DIR + "/tests/engine/suites/kernelbenchx/clone";

std::string refusal_of(const std::string& suite, const OptionValues& options = {}) {
  try {
    open(suite, options)->list();
    return "";
  } catch (const BadInput& error) {
    return error.what();
  }
}

std::unique_ptr<Suite> read_text(const std::string& text) {
  return read(yaml::Document::from_text(text, "trial.yaml").root().map("suite"));
}

TEST(SuiteRegistry, OpensTheSuiteThatAPrefixNames) {
  EXPECT_EQ(open(clone)->profile().name, "kernelbench");
  EXPECT_EQ(open(functions)->profile().name, "kernelbenchx") << "whose name begins with the other's";
  EXPECT_EQ(open("")->profile().name, "native");
  EXPECT_THAT(refusal_of("no:such"), StartsWith("no:such: is no folder"))
      << "a name without a known prefix is a folder";
}

TEST(SuiteRegistry, RefusesAnOptionThatOnlyAnotherSuiteHas) {
  EXPECT_EQ(refusal_of("", {{"--levels", "1"}}), "--levels: only a suite kernelbench:PATH has levels");
  EXPECT_EQ(refusal_of("", {{"--levels", ""}}), "") << "it was not given";
  EXPECT_EQ(refusal_of(clone, {{"--levels", "2"}}), "");
}

TEST(SuiteRegistry, ReadsTheSuiteWhoseNameIsAKeyOfTheMap) {
  EXPECT_EQ(read_text("tasks: [softmax]")->list().size(), 1u);
  EXPECT_EQ(read_text("kernelbench: " + clone.substr(12))->profile().name, "kernelbench");
  try {
    read_text("kernelbnch: there");
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'kernelbench'?"));
  }
}

TEST(SuiteRegistry, FindsTheKindInACampaignsText) {
  ASSERT_NE(kind_in(R"({"suite": {"kernelbench": "there"}})"), nullptr);
  EXPECT_EQ(kind_in(R"({"suite": {"kernelbench": "there"}})")->profile().name, "kernelbench");
  EXPECT_EQ(kind_in(R"({"suite": {"path": "there"}})")->profile().name, "native");
  EXPECT_EQ(kind_in("{}")->profile().name, "native");
  EXPECT_EQ(kind_in("no JSON"), nullptr);
}

TEST(SuiteRegistry, KnowsARegisteredKindAsLongAsItsRegistrationLives) {
  const TableKind kind;
  const auto before = schemes([](const Profile&) { return true; });
  {
    const Registration registration(kind);
    EXPECT_EQ(open("table:any")->list().size(), 2u);
    EXPECT_EQ(schemes([](const Profile&) { return true; }), before + " and table:PATH");
    EXPECT_EQ(read_text("table: any")->profile().title, "Table");
    EXPECT_THAT(refusal_of("", {{"--page", "1"}}), HasSubstr("only a suite table:PATH has page"));
  }
  EXPECT_EQ(schemes([](const Profile&) { return true; }), before);
}

TEST(SuiteProfile, PermitsLanguagesByTheFormOfItsAnswers) {
  const auto& native = open("")->profile();
  EXPECT_TRUE(native.permits(Language::cpp) && native.permits(Language::cuda) &&
              native.permits(Language::triton));
  EXPECT_FALSE(native.permits(Language::torch));
  const auto* modules = first_profile([](const Profile& profile) { return profile.has_modules(); });
  ASSERT_NE(modules, nullptr);
  EXPECT_TRUE(modules->permits(Language::torch) && modules->permits(Language::cuda));
}

}  // namespace
}  // namespace ridgeline::suites
