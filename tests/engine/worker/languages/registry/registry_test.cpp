#include "engine/worker/languages/registry/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::languages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LanguageRegistry, HasALineForEachLanguage) {
  for (const auto& known : languages_known) EXPECT_EQ(support_of(known.language).language(), known.language);
  EXPECT_EQ(registry().size(), languages_known.size());
}

TEST(LanguageRegistry, EachSaysWhatItIsMissing) {
  MachineTools tools;
  EXPECT_THAT(supported_languages(tools), IsEmpty());
  EXPECT_THAT(support_of(Language::cuda).missing(tools), HasSubstr("no C++ compiler"));
  tools.no_python = "python3 has no torch";
  EXPECT_EQ(support_of(Language::triton).missing(tools), "python3 has no torch");
  tools.host.emplace();
  EXPECT_THAT(supported_languages(tools), ElementsAre("cpp"));
  EXPECT_THAT(support_of(Language::cuda).missing(tools), HasSubstr("nvcc"));
  tools.nvcc.emplace();
  tools.python.emplace();
  tools.python->program = "/v/bin/python3";
  EXPECT_THAT(supported_languages(tools), ElementsAre("cpp", "cuda", "torch"));
  EXPECT_THAT(support_of(Language::triton).missing(tools), HasSubstr("/v/bin/python3"));
  tools.python->triton_version = "3.6.0";
  EXPECT_THAT(supported_languages(tools), ElementsAre("cpp", "cuda", "torch", "triton"));
}

TEST(LanguageRegistry, AShortfallIsReportedOnce) {
  MachineTools tools;
  tools.no_python = "python3 has no torch";
  std::vector<std::string> told;
  for (const auto* support : registry())
    if (const auto line = support->shortfall(tools); !line.empty()) told.push_back(line);
  EXPECT_THAT(told, ElementsAre(HasSubstr("no C++ compiler"), "candidates in torch: python3 has no torch"));
}

TEST(LanguageRegistry, AVerdictNamesAllThatACandidateWasBuiltWith) {
  MachineTools tools;
  tools.python.emplace();
  tools.python->version = "3.12";
  tools.python->torch_version = "2.11.0";
  tools.python->triton_version = "3.6.0";
  EXPECT_EQ(support_of(Language::torch).compiler(tools), "Python 3.12, torch 2.11.0");
  EXPECT_EQ(support_of(Language::triton).compiler(tools), "Python 3.12, torch 2.11.0, triton 3.6.0");
}

}  // namespace
}  // namespace ridgeline::languages
