#include "engine/verifier/script_error.hpp"

#include <gtest/gtest.h>

namespace ridgeline::verifier {
namespace {

TEST(ScriptError, ReadsACompilersErrorWithItsPlace) {
  const auto error = read_script_error(
      "\nundefined value y:\n  File \"<string>\", line 3\ndef reference(x):\n    z = x * 2\n    return y + "
      "z\n"
      "           ~ <--- HERE\n'helper' is being compiled since it was called from 'reference'\n"
      "  File \"<string>\", line 9\n  return helper(x)\n         ~~~~~~ <--- HERE\n");
  EXPECT_EQ(error.text("reference"), "reference:3:12: undefined value y");
}

TEST(ScriptError, ReadsAnInterpretersErrorAtItsInnermostFrame) {
  const auto error = read_script_error(
      "The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript (most recent "
      "call "
      "last):\n  File \"<string>\", line 5, in reference\ndef reference(x):\n    return helper(x)\n          "
      " ~~~~~~ "
      "<--- HERE\n  File \"<string>\", line 2, in helper\ndef helper(x):\n    assert x.numel() > 100, \"too "
      "small\"\n"
      "    ~~~~~~ <--- HERE\nRuntimeError: AssertionError: too small\n");
  EXPECT_EQ(error.text("reference"), "reference:2:5: AssertionError: too small");
  EXPECT_FALSE(error.bytes);
}

TEST(ScriptError, ReadsHowManyBytesAFailedAllocationAskedFor) {
  const auto error = read_script_error(
      "Traceback of TorchScript (most recent call last):\n  File \"<string>\", line 2, in "
      "reference\nRuntimeError: "
      "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried "
      "to "
      "allocate 6250000000000 bytes. Error code 12 (Cannot allocate memory)\n");
  ASSERT_TRUE(error.bytes);
  EXPECT_EQ(*error.bytes, 6.25e12);
  EXPECT_EQ(
      read_script_error("RuntimeError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has").bytes,
      2.5 * (1 << 30));
}

TEST(ScriptError, PutsAnErrorWithoutAPlaceIntoOneLine) {
  EXPECT_EQ(read_script_error("some\ntrouble").text("reference"), "reference: some trouble");
  EXPECT_EQ(read_script_error("no argument 'src'.\nException raised from run at a/b.cpp:7").text("reference"),
            "reference: no argument 'src'");
  EXPECT_LT(read_script_error(std::string(1 << 20, 'x')).text("reference").size(), 500u);
  EXPECT_EQ(
      read_script_error("expected ident here:\n  File \"<string>\", line 3\ndef f(x):\n").text("reference"),
      "reference:3:1: expected ident here");
}

}  // namespace
}  // namespace ridgeline::verifier
