#include "engine/cli/error_text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>

namespace ridgeline::cli {
namespace {

TEST(ErrorText, HasNoControlCharacters) {
  EXPECT_EQ(error_text("a.yaml:1:1: no"), "ridgeline: a.yaml:1:1: no\n");
  EXPECT_EQ(error_text("one\ntwo\x1b[2J\n"), "ridgeline: one\ntwo [2J\n");
}

TEST(ErrorText, ShowsBothEndsOfALongLine) {
  std::string quoted;
  while (quoted.size() < 1'000'000) quoted += "\xE2\x82\xAC";
  const auto text = error_text("no name '" + quoted + "'; did you mean 'a'?");
  EXPECT_LT(text.size(), 3100u);
  EXPECT_EQ(text.rfind("ridgeline: no name '\xE2", 0), 0u);
  EXPECT_TRUE(text.ends_with("\xAC'; did you mean 'a'?\n"));
}

TEST(ExitCode, IsTwoForAnImpossiblePathAndThreeForARefusingMachine) {
  namespace fs = std::filesystem;
  const auto of = [](std::errc code) {
    return exit_code_of(fs::filesystem_error("x", std::make_error_code(code)));
  };
  EXPECT_EQ(of(std::errc::filename_too_long), 2);
  EXPECT_EQ(of(std::errc::permission_denied), 3);
  EXPECT_EQ(exit_code_of(std::bad_alloc()), 3);
  EXPECT_EQ(exit_code_of(std::runtime_error("x")), 1);
}

}  // namespace
}  // namespace ridgeline::cli
