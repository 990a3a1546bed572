#include "engine/worker/languages/torch_extension/front_ends/check.hpp"

#include <gmock/gmock.h>

#include "../request_sources.hpp"

namespace ridgeline::front_ends {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Outcome = Checked::Outcome;

Said passed(std::string output = {}) {
  return {Said::End::passed, std::move(output), {}};
}
Said failed(std::string messages) {
  return {Said::End::failed, {}, std::move(messages)};
}

constexpr const char* kExpanded = "# 4 \"cuda.cu\"\nint x;\n# 1000001 \"ridgeline-holder\" 2\n";

/// Answers what it is told, and writes down who was asked.
struct Recorded final : Compilers {
  Said main = passed(), expansion = passed(kExpanded), parser = passed();
  std::vector<std::string> asked;
  std::string last_text, last_module;

  Said parse_main(const std::string& text, const std::string& module) override {
    asked.push_back("main");
    return last_text = text, last_module = module, main;
  }
  Said expand(const std::string& text) override {
    asked.push_back("expand");
    return last_text = text, expansion;
  }
  Said parse(const std::string& text) override {
    asked.push_back("parse");
    return last_text = text, parser;
  }
};

Checked check_scale(Compilers& compilers, torch_extension::ExtensionFlags flags = {}) {
  return check(torch_extension::scale_request(), flags, compilers);
}

TEST(Check, ARightRequestPassesAll) {
  Recorded all;
  EXPECT_EQ(check_scale(all).outcome, Outcome::passed);
  EXPECT_THAT(all.asked, ElementsAre("main", "expand", "parse"));
  EXPECT_EQ(all.last_text, "# 4 \"cuda.cu\"\nint x;\n");
  EXPECT_EQ(all.last_module, "scale_module");
}

TEST(Check, TheFirstErrorEndsIt) {
  Recorded all;
  all.main = failed("main.cpp:3:1: error: 'x' was not declared\n");
  const auto checked = check_scale(all);
  EXPECT_EQ(checked.outcome, Outcome::refused);
  EXPECT_EQ(checked.log, "main.cpp:3:1: error: 'x' was not declared\n");
  EXPECT_THAT(all.asked, ElementsAre("main"));
}

TEST(Check, AnErrorOfTheExpansionIsToldWithoutTheHeldFile) {
  Recorded all;
  all.expansion = failed("In file included from ridgeline-holder:1000000:\ncuda.cu:4:10: fatal error: a.h\n");
  const auto checked = check_scale(all);
  EXPECT_EQ(checked.outcome, Outcome::refused);
  EXPECT_EQ(checked.log, "cuda.cu:4:10: fatal error: a.h\n");
  EXPECT_THAT(all.asked, ElementsAre("main", "expand"));
}

TEST(Check, AnErrorOfTheParserRefuses) {
  Recorded all;
  all.parser = failed("cuda.cu(8): error: identifier \"x\" is undefined\n");
  EXPECT_EQ(check_scale(all).outcome, Outcome::refused);
}

TEST(Check, AFailureWithoutAnErrorRefusesNothing) {
  Recorded all;
  all.parser = failed("");
  const auto checked = check_scale(all);
  EXPECT_EQ(checked.outcome, Outcome::undecided);
  EXPECT_THAT(checked.why, HasSubstr("told no error"));
}

TEST(Check, WhatDoesNotFitIsNotAsked) {
  Recorded all;
  torch_extension::ExtensionFlags flags;
  flags.host = {"-DX"};
  flags.cuda = {"-DX"};
  const auto checked = check_scale(all, flags);
  EXPECT_EQ(checked.outcome, Outcome::undecided);
  EXPECT_EQ(checked.why, "cuda.cu: flags");
  EXPECT_THAT(all.asked, IsEmpty());
}

TEST(Check, WhereMainIsUndecidedCudaStillRefuses) {
  Recorded all;
  all.main = {Said::End::unknown, {}, {}, "it is not ready"};
  EXPECT_EQ(check_scale(all).why, "main.cpp: it is not ready");
  all.parser = failed("cuda.cu(8): error: no\n");
  EXPECT_EQ(check_scale(all).outcome, Outcome::refused);
}

TEST(Check, AFrontEndThatDiedRefusesNothing) {
  Recorded all;
  all.expansion = {Said::End::unknown, {}, "cuda.cu:4: error: half a message", "ended by signal 9"};
  EXPECT_EQ(check_scale(all).outcome, Outcome::undecided);
  EXPECT_EQ(check_scale(all).why, "cuda.cu: ended by signal 9");
}

TEST(Check, AnExpansionThatNamesOtherPlacesIsNotParsed) {
  Recorded all;
  all.expansion = passed("int x;");
  EXPECT_EQ(check_scale(all).outcome, Outcome::undecided);
  EXPECT_THAT(all.asked, ElementsAre("main", "expand"));
}

TEST(Check, CppAloneIsDecidedByMain) {
  Recorded all;
  auto request = torch_extension::scale_request();
  request.cuda_sources.clear();
  EXPECT_EQ(check(request, {}, all).outcome, Outcome::passed);
  EXPECT_THAT(all.asked, ElementsAre("main"));
  EXPECT_EQ(to_string(Outcome::undecided), "undecided");
}

}  // namespace
}  // namespace ridgeline::front_ends
