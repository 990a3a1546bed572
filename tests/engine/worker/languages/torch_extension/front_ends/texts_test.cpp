#include "engine/worker/languages/torch_extension/front_ends/texts.hpp"

#include <gmock/gmock.h>

#include "../request_sources.hpp"
#include "engine/worker/languages/torch_extension/compose.hpp"

namespace ridgeline::front_ends {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string line_of(std::string_view text, int number) {
  for (; number > 1; --number) text.remove_prefix(text.find('\n') + 1);
  return std::string{text.substr(0, text.find('\n'))};
}

TEST(HeldTexts, ASourcesLinesKeepTheirNumbers) {
  const auto whole = torch_extension::compose_as_torch(torch_extension::scale_request()).back().text;
  const auto rest = text_for_expansion(whole, "scale_module");
  ASSERT_TRUE(rest);
  EXPECT_EQ(line_of(*rest, 2), "#define TORCH_EXTENSION_NAME scale_module");
  EXPECT_EQ(line_of(*rest, 3), "#line 4 \"cuda.cu\"");
  for (const int line : {4, 5, 6}) EXPECT_EQ(line_of(*rest, line), line_of(whole, line)) << line;
  EXPECT_THAT(held_text(), StartsWith(headers_text()));
  EXPECT_THAT(whole,
              StartsWith(headers_text().substr(0, headers_text().find("#include <torch/extension.h>"))))
      << "what is held is what load_inline writes";
}

TEST(HeldTexts, AnotherBeginningThanLoadInlinesIsNoneOfThem) {
  EXPECT_FALSE(text_for_expansion("#include <torch/extension.h>\n", "m"));
}

TEST(HeldTexts, OfAnExpansionOnlyTheSourcesPartIsParsed) {
  EXPECT_EQ(text_for_parsing(
                "# 1 \"ridgeline-answer\" 1\n\n# 4 \"cuda.cu\"\nint x;\n# 1000001 \"ridgeline-holder\" 2\n"),
            "# 4 \"cuda.cu\"\nint x;\n");
  EXPECT_FALSE(text_for_parsing("# 4 \"cuda.cu\"\nint x;\n")) << "the child did not come to its end";
  EXPECT_FALSE(text_for_parsing("int x;\n# 1000001 \"ridgeline-holder\" 2\n"));
}

TEST(HeldTexts, MessagesDoNotTellOfTheHeldFile) {
  EXPECT_EQ(
      without_holder("In file included from ridgeline-holder:1000000:\ncuda.cu:4:10: fatal error: a.h\n"),
      "cuda.cu:4:10: fatal error: a.h\n");
  EXPECT_EQ(
      without_holder("In file included from cuda.cu:7,\n                 from ridgeline-holder:1000000:\n"
                     "a.h:1:2: error: #error\n"),
      "In file included from cuda.cu:7:\na.h:1:2: error: #error\n");
  EXPECT_EQ(without_holder("cuda.cu:4: error\n"), "cuda.cu:4: error\n");
}

TEST(MainsEnd, ErrorsBeforeItAreTheSources) {
  EXPECT_EQ(
      errors_before_end("main.cpp: In function 'f':\nmain.cpp:2:1: error: 'x'\nridgeline-end: At global "
                        "scope:\nridgeline-end:1:15: error: static assertion failed\n"),
      "main.cpp: In function 'f':\nmain.cpp:2:1: error: 'x'\n");
}

TEST(MainsEnd, NoErrorBeforeItIsNone) {
  EXPECT_FALSE(errors_before_end("ridgeline-end:1:15: error: static assertion failed\n"));
  EXPECT_FALSE(
      errors_before_end("main.cpp:1:1: warning: unused\nridgeline-end:1:15: error: static assertion\n"));
  EXPECT_FALSE(errors_before_end(""));
}

TEST(MainsEnd, WithTwentyErrorsOfItsOwnASourceHasNoneLeftForIt) {
  EXPECT_TRUE(
      errors_before_end("main.cpp:2:1: error: 'x'\ncompilation terminated due to -fmax-errors=20.\n"));
  EXPECT_TRUE(errors_before_end("main.cpp:2:10: fatal error: a.h: No such file\ncompilation terminated.\n"));
}

TEST(MainsEnd, ACompilerThatDiedToldNothing) {
  EXPECT_FALSE(errors_before_end("main.cpp:2:1: error: 'x'\ng++: internal compiler error: Killed\n"));
}

TEST(MainsEnd, IsOneErrorMoreThanACompilerTellsSoThatItStops) {
  const auto text = with_end("int x;");
  EXPECT_THAT(text, StartsWith("int x;\n\n#line 1 \"ridgeline-end\"\n#undef static_assert\n"));
  int found = 0;
  for (auto at = text.find("static_assert(false)"); at != text.npos; at = text.find("static_assert", at + 1))
    ++found;
  EXPECT_EQ(found, 21);
}

TEST(Messages, AQuotedLineOfTheSourceIsNoErrorWhateverItHolds) {
  EXPECT_FALSE(
      tells_error("main.cpp:12:20: warning: 'type' is deprecated [-Wdeprecated-declarations]\n"
                  "   12 |   TORCH_CHECK(x.type().is_cuda(), \"f: error: not CUDA\");\n"
                  "12345 |   TORCH_CHECK(x.type().is_cuda(), \"f: error: not CUDA\");\n"
                  "      |               ~~~~~~^~ f: error: \n"));
  EXPECT_FALSE(
      tells_error("cuda.cu(8): warning #177-D: x was declared\n      f(\"g: error: h\");\n      ^\n"));
  EXPECT_FALSE(tells_error("main.cpp:3:5: warning: 'f' is deprecated: f: error: use g\n"));
  EXPECT_TRUE(tells_error("main.cpp:3:5: warning: unused\nmain.cpp:4:5: error: 'warning: x' is not there"));
}

TEST(Messages, ErrorsOfBothCompilersAreKnown) {
  EXPECT_TRUE(tells_error("cuda.cu(8): error: identifier \"x\" is undefined\n"));
  EXPECT_TRUE(tells_error("cuda.cu(8): error #20: x\n"));
  EXPECT_TRUE(tells_error("cuda.cu:4:10: fatal error: a.h: No such file or directory\n"));
  EXPECT_FALSE(tells_error("cuda.cu(8): warning #177-D: variable \"x\" was declared\n"));
  EXPECT_THAT(held_text(), HasSubstr(held_at));
}

}  // namespace
}  // namespace ridgeline::front_ends
